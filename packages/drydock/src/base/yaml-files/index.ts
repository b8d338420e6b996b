export { parseYaml, readYamlText } from "./read-yaml-file.ts";
