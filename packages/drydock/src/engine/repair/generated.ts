import { isMutable } from "../mutate/list-mutants.ts";
import { isBuilt } from "../mutate/strength/list-source.ts";
import { isTestFile } from "../verify/implied/test-files.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";

const MARK = /@generated\b|\b(auto-?\s?)?generated\s+(by|from|with|file|code)\b|\bdo\s+not\s+(edit|modify|change)\b/i;
const COMMENT = /^\s*(#|\/\/|\/?\*|"""|$)/;
const HEAD_LINES = 12;

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
