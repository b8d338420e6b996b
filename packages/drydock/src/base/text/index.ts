export { findNearestWord } from "./nearest-word.ts";
