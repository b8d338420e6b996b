/** Loads the YAML library: import this file lazily if it is not always needed. */
export { findAlias } from "./find-alias.ts";
export { findOffset, startOf } from "./find-offset.ts";
export { openYaml } from "./open-yaml.ts";
