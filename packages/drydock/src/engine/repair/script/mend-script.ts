import { findSyntaxError, parseScript } from "../../source/parse-script.ts";
import type { ListedEdit } from "../workshop.ts";

const MAX_CHARS = 400_000;
const MAX_FOUND = 60;
const MAX_TRIES = 4000;
/** Of the processor's time: the parser holds everything else up meanwhile. */
const MAX_MS = 1500;

/** A text that does not parse: single characters after which, or without which, it does. Next to where it stops parsing first. */
export function mendScript(path: string, text: string): ListedEdit[] {
  const found: ListedEdit[] = [];
  if (text.length > MAX_CHARS) return found;
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const named = findSyntaxError(path, text) ?? 1;
  const near = [...lines.keys()].sort((a, b) => Math.abs(a + 1 - named) - Math.abs(b + 1 - named) || a - b);
  const until = usedMs() + MAX_MS;
  let tries = 0;
  for (const index of near) {
    for (const { at, length, mark } of listSlips(lines[index] ?? "")) {
      if (found.length >= MAX_FOUND || tries++ > MAX_TRIES || usedMs() > until) return found;
      const start = (starts[index] ?? 0) + at;
      const edit = { start, end: start + length, replacement: mark };
      const changed = text.slice(0, edit.start) + mark + text.slice(edit.end);
      if (parseScript(path, changed)) found.push({ path, ...edit, line: index + 1, kind: "syntax", score: 1 });
    }
  }
  return found;
}

function usedMs(): number {
  return process.cpuUsage().user / 1000;
}

function* listSlips(line: string): Generator<{ at: number; length: number; mark: string }> {
  const end = line.trimEnd().length;
  if (end === 0) return;
  for (const mark of ["\n}", ")", "}", "]", "{", ") {", ",", ";", '"', "'", ");"]) yield { at: end, length: 0, mark };
  for (const [at, char] of line.split("").entries()) {
    if ("()[]{},;\"'`".includes(char)) yield { at, length: 1, mark: "" };
    if (" ){;,".includes(char)) for (const mark of [")", "(", "]", ",", "}"]) yield { at, length: 0, mark };
  }
}
