import { DrydockError, type ReviewComment } from "@drydock/protocol";

/** `FILE:LINE: TEXT`, `FILE: TEXT`; with `-LINE`, the line is one of the file before the change. */
export function readComment(words: string): ReviewComment {
  const [, path, sign, line, text] = /^(.+?)(?::(-?)(\d+))?:\s+(\S[\s\S]*)$/.exec(words) ?? [];
  if (path === undefined || text === undefined) {
    throw new DrydockError(
      "input.invalid",
      `The comment ${JSON.stringify(words)} names no file.`,
      "Write the file, the line and the words, as in: --comment 'calc.py:2: Use sum() here.'",
    );
  }
  return { path, ...(line !== undefined && { line: Number(line) }), ...(sign === "-" && { side: "before" }), text };
}
