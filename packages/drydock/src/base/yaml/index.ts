/** Loads the YAML library: whoever may do without it imports this door lazily. */
export { findAlias } from "./find-alias.ts";
export { findOffset, startOf } from "./find-offset.ts";
export { openYaml } from "./open-yaml.ts";
