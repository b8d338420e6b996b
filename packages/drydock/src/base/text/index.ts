export { cutStart, cutText, fitText, shortenLine } from "./cut-text.ts";
export { type FileProblem, fileProblemError, invalidFileError, type Position } from "./invalid-file.ts";
export { isMediaType } from "./is-media-type.ts";
export { isText } from "./is-text.ts";
export { findNearestWord } from "./nearest-word.ts";
export { parseJson } from "./parse-json.ts";
