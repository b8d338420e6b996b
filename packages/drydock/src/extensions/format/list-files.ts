import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { ExtensionProblem } from "@drydock/protocol";

export interface ExtensionFile {
  /** Relative, with `/`. */
  path: string;
  size: number;
  executable: boolean;
}

export const MAX_FILES = 10_000;
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** A checkout's own files are no part of an extension, wherever it comes from. */
const LEFT_OUT = new Set([".git", ".hg", ".svn", "node_modules", ".DS_Store"]);

export function isLeftOut(path: string): boolean {
  return path.split("/").some((part) => LEFT_OUT.has(part));
}

/**
 * Every file of an extension, in the order of their paths. Whatever is no plain file or directory is a problem: a link
 * could lead anywhere once the extension is installed. Of what is installed nothing is left out: all of it can be used,
 * so all of it has to be what was agreed to.
 */
export async function listFiles(
  directory: string,
  { all = false }: { all?: boolean } = {},
): Promise<{ files: ExtensionFile[]; problems: ExtensionProblem[] }> {
  const files: ExtensionFile[] = [];
  const problems: ExtensionProblem[] = [];
  const folders = [""];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(directory, folder))) {
      if (!all && LEFT_OUT.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      entries += 1;
      if (entries > MAX_FILES) return { files, problems: [problemOf("", `holds more than ${MAX_FILES} files`)] };
      const wrong = describePathProblem(path);
      if (wrong !== null) problems.push(problemOf(path, wrong));
      else if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const { size, mode } = await lstat(join(directory, path));
        files.push({ path, size, executable: (mode & 0o100) !== 0 });
      } else {
        const kind = entry.isSymbolicLink() ? "a symbolic link" : "no plain file";
        problems.push(problemOf(path, `is ${kind}; an extension holds plain files and directories only`));
      }
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems: [...problems, ...checkFileSet(files)] };
}

/** What the files are together: their size, and names that only some systems tell apart. */
export function checkFileSet(files: readonly ExtensionFile[]): ExtensionProblem[] {
  const problems: ExtensionProblem[] = [];
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > MAX_TOTAL_BYTES) problems.push(problemOf("", `is larger than ${MAX_TOTAL_BYTES / 1024 / 1024} MB`));
  const seen = new Map<string, string>();
  for (const { path } of files) {
    for (const name of [path, ...parentsOf(path)]) {
      const folded = name.normalize("NFC").toLowerCase();
      const other = seen.get(folded);
      if (other !== undefined && other !== name)
        problems.push(problemOf(name, `differs from ${other} only in its case`));
      seen.set(folded, other ?? name);
    }
  }
  return problems;
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Null for a name that every system reads alike, and that no reader takes for another. */
export function describePathProblem(path: string): string | null {
  if (path.length > 1024) return "has a path of more than 1024 characters";
  const parts = path.split("/");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "has an absolute path";
  if (parts.includes("..")) return "has a path that leads upwards";
  if (parts.includes("") || parts.includes(".")) return "has a path with an empty part";
  if (/[\p{Cc}\p{Bidi_Control}\p{Surrogate}\ufffd\\]/u.test(path)) return "has a name that can't be shown";
  return parts.some((part) => Buffer.byteLength(part) > 255) ? "has a name of more than 255 bytes" : null;
}

function problemOf(file: string, message: string): ExtensionProblem {
  return { file: file || ".", line: null, column: null, field: "", message, severity: "error" };
}
