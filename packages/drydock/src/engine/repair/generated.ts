import { isMutable } from "../mutate/list-mutants.ts";
import { isBuilt } from "../mutate/strength/list-source.ts";
import { isTestFile } from "../verify/implied/test-files.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";

const MARK = /@generated\b|\b(auto-?\s?)?generated\s+(by|from|with|file|code)\b|\bdo\s+not\s+(edit|modify|change)\b/i;
const COMMENT = /^\s*(#|\/\/|\/?\*|"""|$)/;
const HEAD_LINES = 12;
const MAX_NAMED = 2;

/** Whether a file says in its first comment that a tool makes it. */
export function isGenerated(text: string): boolean {
  for (const line of text.split("\n", HEAD_LINES)) {
    if (!COMMENT.test(line)) return false;
    if (MARK.test(line)) return true;
  }
  return false;
}

/** Files that could be changed if no tool made them. */
export function listBuilt(tree: JudgedTree, isInScope: (path: string) => boolean): string[] {
  return tree.paths().filter((path) => isBuilt(path) && isMutable(path) && !isTestFile(path) && isInScope(path));
}

/** Why none of these files is changed. */
export function describeGenerated(paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).join(", ");
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return `All files in scope are generated (${names}${more}). Edits would be lost: put the original source in scope.`;
}
