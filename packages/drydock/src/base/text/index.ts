export { cutStart, cutText, fitText, shortenLine } from "./cut-text.ts";
export { type FileProblem, invalidAt, invalidFile, type Position } from "./invalid-file.ts";
export { isText } from "./is-text.ts";
export { findNearestWord } from "./nearest-word.ts";
export { parseJson } from "./parse-json.ts";
