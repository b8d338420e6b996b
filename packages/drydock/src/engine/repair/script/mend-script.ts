import { parseScript } from "../../mutate/parse-script.ts";
import type { ListedEdit } from "../workshop.ts";

const MAX_CHARS = 40_000;
const MAX_FOUND = 60;
const MAX_TRIES = 4000;

/** A text that does not parse: single characters after which, or without which, it does. */
export function mendScript(path: string, text: string): ListedEdit[] {
  const found: ListedEdit[] = [];
  if (text.length > MAX_CHARS) return found;
  let tries = 0;
  const lines = text.split("\n");
  let start = 0;
  for (const [index, line] of lines.entries()) {
    for (const { at, length, mark } of listSlips(line)) {
      if (found.length >= MAX_FOUND || tries++ > MAX_TRIES) return found;
      const edit = { start: start + at, end: start + at + length, replacement: mark };
      const changed = text.slice(0, edit.start) + mark + text.slice(edit.end);
      if (parseScript(path, changed)) found.push({ path, ...edit, line: index + 1, kind: "syntax", score: 1 });
    }
    start += line.length + 1;
  }
  return found;
}

function* listSlips(line: string): Generator<{ at: number; length: number; mark: string }> {
  const end = line.trimEnd().length;
  if (end === 0) return;
  for (const mark of [")", "}", "]", "{", ") {", ",", ";", '"', "'", ");"]) yield { at: end, length: 0, mark };
  for (const [at, char] of [...line].entries()) {
    if ("()[]{},;\"'`".includes(char)) yield { at, length: 1, mark: "" };
    if (char === " " || char === ")" || char === "{")
      for (const mark of [")", "(", "]", ","]) yield { at, length: 0, mark };
  }
}
