import type { Observed } from "../../../sandbox/index.ts";
import type { JudgedTree } from "../judged-tree.ts";
import { isCompiler } from "./program-roles.ts";

const MAX_FILES = 200;
const MAX_BYTES = 256 * 1024;
/** Entry points that take nothing: a program that reads its arguments is one that somebody uses. */
const MAIN = /\bmain\s*\(\s*(?:void)?\s*\)|\bfn\s+main\s*\(\s*\)|\bstatic\s+void\s+main\s*\(/;
const LITERAL = String.raw`-?(?:\d[\w.]*|"[^"\n]*"|'[^'\n]{1,4}')`;
const LITERAL_CALL = String.raw`\w+\s*\(\s*(?:${LITERAL}(?:\s*,\s*${LITERAL})*)?\s*\)`;
/** `add(2, 3) == 5`: what is called with literals and compared with one is tried out, and not used. */
const TRIED_OUT = new RegExp(
  String.raw`\b${LITERAL_CALL}\s*(?:==|!=)\s*${LITERAL}|${LITERAL}\s*(?:==|!=)\s*${LITERAL_CALL}`,
);
/** `assert(size(&list) == 3)`. That a call of the system succeeds, which 0 stands for, is no result. */
const ASSERTED =
  /\b(?:\w*assert\w*!?|EXPECT_\w+|CHECK\w*|REQUIRE\w*|check\w*|expect\w*)\s*\([^;{}]*?\w\s*\([^;{}]*?\)\s*(?:==|,)\s*(?:-?[1-9]|"|')/i;

/** Sources that a compiler read and that hold a program which only tries out others: with a `main` that asserts something. */
export async function listTestPrograms(observed: Observed | null, tree: JudgedTree): Promise<string[]> {
  const found: string[] = [];
  for (const path of listCompiled(observed).slice(0, MAX_FILES)) {
    const entry = tree.lookup(path);
    if (entry?.type !== "file" || (entry.size ?? 0) > MAX_BYTES) continue;
    const text = (await tree.read(path))?.toString() ?? "";
    if (isTestProgram(text)) found.push(path);
  }
  return found;
}

export function isTestProgram(text: string): boolean {
  return MAIN.test(text) && (TRIED_OUT.test(text) || ASSERTED.test(text));
}

/** Files of the tree that compilers read. */
export function listCompiled(observed: Observed | null): string[] {
  if (!observed) return [];
  const { programs, paths } = observed;
  const read = paths.flatMap(([index, how, path]) => {
    const program = index === null ? undefined : programs[index];
    return how === "read" && program && isCompiler(program) ? [path] : [];
  });
  return [...new Set(read)];
}
