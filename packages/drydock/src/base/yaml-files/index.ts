export { openDocument } from "./open-document.ts";
export { parseYaml, readYamlText } from "./read-yaml-file.ts";
