import { applySplices, type Splice } from "../source/splice.ts";

const MAX_LINES = 8;

/** One splice as a unified diff of the lines that it touches, with a line around them; long ones are cut. */
export function describeSplice(path: string, text: string, splice: Splice): string {
  const before = text.split("\n");
  const after = applySplices(text, [splice]).split("\n");
  const first = countLines(text.slice(0, splice.start)) - 1;
  const last = countLines(text.slice(0, splice.end)) - 1;
  const added = last + after.length - before.length;
  const removedLines = before.slice(first, last + 1);
  const addedLines = after.slice(first, added + 1);
  const head = before.slice(Math.max(0, first - 1), first);
  const tail = before
    .slice(last + 1, last + 2)
    .filter((line, index) => last + 2 + index < before.length || line !== "");
  const start = first + 1 - head.length;
  const around = head.length + tail.length;
  return [
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${start},${removedLines.length + around} +${start},${addedLines.length + around} @@`,
    ...head.map((line) => ` ${line}`),
    ...shorten(removedLines.map((line) => `-${line}`)),
    ...shorten(addedLines.map((line) => `+${line}`)),
    ...tail.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

function countLines(text: string): number {
  return text.split("\n").length;
}

function shorten(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  const half = MAX_LINES / 2;
  return [...lines.slice(0, half), `… ${lines.length - MAX_LINES} more lines`, ...lines.slice(-half)];
}
