import type { Splice } from "../../../source/splice.ts";
import { nextLetter } from "../change-text.ts";
import { changedWord, changeWord, matches, WORD } from "./words.ts";

const COMPARER = String.raw`\b(?:diff|cmp|comm|grep|assert\w*)\b`;
const HERE_STRING = new RegExp(String.raw`${COMPARER}[^\n]*?<<<\s*(${WORD})`, "g");
const HERE_DOCUMENT = /<<(-?)\s*(["']?)(\w+)\2([^\n]*)\n([\s\S]{0,20000}?)^(\t*)\3[ \t]*$/gm;
const ECHOED = new RegExp(String.raw`<\(\s*(?:echo|printf)\s+(?:-[a-z]+\s+)?(${WORD})`, "g");
const PIPED = new RegExp(
  String.raw`(?:^|[\s;&(])(?:echo|printf)\s+(?:-[a-z]+\s+)?(${WORD})(?:\s+(?:${WORD})){0,9}\s*\|\s*(?:diff|cmp|comm)\s`,
  "gm",
);

/** Text in the script that something is compared with: here-documents, here-strings and what is echoed to `diff`. */
export function findComparedText(text: string): Splice[] {
  return [
    ...matches(text, HERE_STRING).map((match) => changeWord(match, match[1] ?? "", false)),
    ...matches(text, ECHOED).map((match) => changeWord(match, match[1] ?? "", false)),
    ...matches(text, PIPED).map((match) => {
      const word = match[1] ?? "";
      const start = match.index + match[0].indexOf(word, match[0].search(/echo|printf/) + "echo".length);
      return { start, end: start + word.length, replacement: changedWord(word, false) };
    }),
    ...matches(text, HERE_DOCUMENT).flatMap((match) => spoilDocument(text, match)),
  ];
}

/** The last line of a here-document, where its command compares. */
function spoilDocument(text: string, match: RegExpExecArray): Splice[] {
  const [whole, , , , rest = "", body = ""] = match;
  const line = text.slice(text.lastIndexOf("\n", match.index) + 1, match.index) + rest;
  if (!/\b(diff|cmp|comm)\b|\bgrep\s+(-\w+\s+)*-\w*f|\bassert/.test(line) || body.trim() === "") return [];
  const start = match.index + whole.indexOf(body, whole.indexOf("\n"));
  const end = start + body.trimEnd().length;
  const last = text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
  const letter = text.charAt(end - 1);
  // A letter that belongs to a variable's name or to a command stays as it is.
  if (/[$`\\]/.test(last) || !/[A-Za-z0-9]/.test(letter)) return [{ start: end, end, replacement: "." }];
  return [{ start: end - 1, end, replacement: nextLetter(letter) }];
}
