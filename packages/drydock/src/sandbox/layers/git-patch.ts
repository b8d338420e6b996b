import { hash } from "node:crypto";
import { type StructuredPatchHunk, structuredPatch } from "diff";
import { encodePath } from "./path-bytes.ts";

/** One side of a file's change, as git sees it. */
export interface GitSide {
  path: string;
  /** 100644, 100755 or 120000: git knows no others. */
  mode: string;
  content: Buffer;
}

const MISSING_ID = "0".repeat(40);
const BINARY_PROBE_BYTES = 8000;
const CONTEXT_LINES = 3;
/** Beyond this many differing lines, or this size, the exact difference costs seconds: the file is shown as replaced. */
const MAX_EDIT_LENGTH = 2000;
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** The section of a patch for one file. An absent side: the file is added or deleted. */
export function formatGitSection(before: GitSide | undefined, after: GitSide | undefined): string {
  const path = (after ?? before)?.path ?? "";
  const lines = [`diff --git ${quoteGitPath(`a/${path}`)} ${quoteGitPath(`b/${path}`)}`];
  if (!before && after) lines.push(`new file mode ${after.mode}`);
  else if (before && !after) lines.push(`deleted file mode ${before.mode}`);
  else if (before && after) lines.push(...formatModes(before.mode, after.mode));
  if (before && after && before.content.equals(after.content)) return `${lines.join("\n")}\n`;
  const sameMode = before && after && before.mode === after.mode ? ` ${after.mode}` : "";
  lines.push(`index ${blobId(before)}..${blobId(after)}${sameMode}`);
  return `${lines.join("\n")}\n${formatContent(before, after)}`;
}

/** A file that is only named: whoever applies the patch is told that it is missing there. */
export function formatGitName(path: string, before: "before" | null, mode: string): string {
  const [from, to] = [quoteGitPath(`a/${path}`), quoteGitPath(`b/${path}`)];
  const added = before === null ? [`new file mode ${mode}`] : [];
  const sides = `Binary files ${before === null ? "/dev/null" : from} and ${to} differ`;
  return `${[`diff --git ${from} ${to}`, ...added, sides].join("\n")}\n`;
}

/** A file that only moved, and perhaps changed its mode. */
export function formatGitRename(from: string, to: string, oldMode: string, newMode: string): string {
  return `${[
    `diff --git ${quoteGitPath(`a/${from}`)} ${quoteGitPath(`b/${to}`)}`,
    ...formatModes(oldMode, newMode),
    "similarity index 100%",
    `rename from ${quoteGitPath(from)}`,
    `rename to ${quoteGitPath(to)}`,
  ].join("\n")}\n`;
}

const ESCAPES: Record<number, string> = {
  7: "a",
  8: "b",
  9: "t",
  10: "n",
  11: "v",
  12: "f",
  13: "r",
  34: '"',
  92: "\\",
};

/** Git's C-style quotes, where a name needs them; letters of other scripts stay readable. */
export function quoteGitPath(path: string): string {
  if (path.isWellFormed() && !/[\p{Cc}"\\]/u.test(path)) return path;
  let quoted = "";
  for (const character of path) {
    if (character.isWellFormed() && !/[\p{Cc}"\\]/u.test(character)) quoted += character;
    else {
      for (const byte of encodePath(character)) {
        quoted += `\\${ESCAPES[byte] ?? byte.toString(8).padStart(3, "0")}`;
      }
    }
  }
  return `"${quoted}"`;
}

function formatModes(before: string, after: string): string[] {
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`];
}

function blobId(side: GitSide | undefined): string {
  if (!side) return MISSING_ID;
  return hash("sha1", Buffer.concat([Buffer.from(`blob ${side.content.length}\0`), side.content]));
}

function formatContent(before: GitSide | undefined, after: GitSide | undefined): string {
  const oldText = before ? decodeText(before.content) : "";
  const newText = after ? decodeText(after.content) : "";
  if (oldText === undefined || newText === undefined) {
    return `Binary files ${sideName("a", before)} and ${sideName("b", after)} differ\n`;
  }
  if (oldText === newText) return "";
  const hunks = before && after ? diffTexts(oldText, newText) : [replaceAll(oldText, newText)];
  return `--- ${fileLine("a", before)}\n+++ ${fileLine("b", after)}\n${hunks.map(formatHunk).join("")}`;
}

/** Undefined: not text that a patch in UTF-8 can carry exactly. */
function decodeText(content: Buffer): string | undefined {
  if (content.length > MAX_TEXT_BYTES || content.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}

function sideName(prefix: "a" | "b", side: GitSide | undefined): string {
  return side ? quoteGitPath(`${prefix}/${side.path}`) : "/dev/null";
}

function fileLine(prefix: "a" | "b", side: GitSide | undefined): string {
  const name = sideName(prefix, side);
  // Readers of patches end an unquoted name at white space unless a tab ends it first.
  return name.startsWith('"') || !name.includes(" ") ? name : `${name}\t`;
}

function diffTexts(before: string, after: string): StructuredPatchHunk[] {
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  return patch?.hunks ?? [replaceAll(before, after)];
}

function replaceAll(before: string, after: string): StructuredPatchHunk {
  const removed = splitLines(before);
  const added = splitLines(after);
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...markLines("-", removed, before), ...markLines("+", added, after)],
  };
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function markLines(mark: string, lines: string[], text: string): string[] {
  const marked = lines.map((line) => mark + line);
  return text === "" || text.endsWith("\n") ? marked : [...marked, "\\ No newline at end of file"];
}

function formatHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  // By convention a side without lines names the line before it.
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join("\n")}\n`;
}
