import { looksLikeCheck } from "./program-roles.ts";

/** What a script compares, asserts or runs tests with. A program that only does its work has none of it. */
const EXPECTATIONS = [
  /\bassert\b|\bassert[A-Z.]|\bexpect\s*\(|node:(test|assert)|\brequire\(['"](assert|tape|chai)/,
  /\b(unittest|pytest|doctest|wasSuccessful)\b/,
  /(^|[;&|(\s])(diff|cmp|comm)\s+\S/m,
  /(^|[;&|(\s])(\[\[?|test)\s+\S.*?(=|-eq|-ne|-[zn])/m,
  /\bgrep\s+-[a-zA-Z]*q/,
  /\bif\b[^\n]*(!=|==|!==|===|\bnot\b)[\s\S]{0,120}?\b(exit|throw|raise|fail)\b/,
];

/** Whether a file that a check's command runs decides over the work, and is not the work itself. */
export function holdsExpectations(path: string, text: string): boolean {
  return looksLikeCheck(path) || EXPECTATIONS.some((pattern) => pattern.test(text));
}
