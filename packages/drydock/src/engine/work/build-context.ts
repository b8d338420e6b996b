import type { PlanTask } from "@drydock/protocol";
import type { TreeRules, WorkTree } from "../../sandbox/index.ts";
import { nameFile } from "../prompts/name-file.ts";
import { readText } from "../read-text.ts";

const CHARS_PER_TOKEN = 3.5;
const MAX_LISTED = 500;
const MAX_FILE_CHARS = 60_000;
/** Every path is looked for in the task's words: so many of them, however many there are. */
const MAX_WORDS_CHARS = 100_000;
/** Files that nothing points to are shown where there are few of them: a large workspace is not read for every task. */
const MAX_OTHERS = 40;

/**
 * The files that a task is about, within a budget: those that its words and checks name, then those it may change, then
 * the rest; what has no room is listed by name.
 */
export async function buildContext(
  tree: WorkTree,
  task: PlanTask,
  rules: TreeRules,
  budgetTokens: number,
): Promise<string> {
  let room = budgetTokens * CHARS_PER_TOKEN;
  const words = [task.title, task.instructions, JSON.stringify(task.checks)]
    .map((text) => text.slice(0, MAX_WORDS_CHARS))
    .join("\n");
  const narrow = task.scope.some((pattern) => pattern !== "**");
  // Most tasks name their files: those need no pattern.
  const named = task.scope.some((pattern) => /[*?[\]{}]|\/$/.test(pattern)) ? null : new Set(task.scope);
  const isInScope = (path: string) => narrow && (named ? named.has(path) : rules.writable(path));
  const rank = (path: string) => {
    const isNamed = words.includes(path.slice(path.lastIndexOf("/") + 1));
    if (isNamed && words.includes(path)) return 0;
    if (isInScope(path)) return 1;
    return isNamed ? 2 : 3;
  };
  const byRank: { path: string; size: number }[][] = [[], [], [], []];
  for (const file of tree.files()) byRank[rank(file.path)]?.push(file);
  const others = byRank.pop() ?? [];
  if (others.length <= MAX_OTHERS) byRank.push(others);
  const shown: string[] = [];
  const left: { path: string; size: number }[] = [];
  for (const { path, size } of byRank.flat()) {
    const text = size <= Math.min(room, MAX_FILE_CHARS) ? await readText(tree, path) : null;
    if (text === null || text.length > room) {
      left.push({ path, size });
      if (left.length > MAX_LISTED) break;
      continue;
    }
    room -= text.length + path.length + 16;
    shown.push(`--- ${nameFile(path)}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}`);
  }
  if (others.length > MAX_OTHERS) left.push(...others.slice(0, MAX_LISTED + 1));
  const listed = left.slice(0, MAX_LISTED).map(({ path, size }) => `  ${nameFile(path)} (${size} bytes)`);
  if (left.length > 0) shown.push(`--- not shown:\n${listed.join("\n")}${left.length > MAX_LISTED ? "\n  …" : ""}\n`);
  return shown.join("\n");
}
