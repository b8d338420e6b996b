import type { PlanTask } from "@drydock/protocol";
import type { TreeRules, WorkTree } from "../../sandbox/index.ts";
import { readText } from "../read-text.ts";

const CHARS_PER_TOKEN = 3.5;
const MAX_LISTED = 500;
const MAX_FILE_CHARS = 60_000;

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
  const files = tree.paths().filter((path) => tree.lookup(path)?.type === "file");
  const words = `${task.instructions}\n${task.title}\n${JSON.stringify(task.checks)}`;
  const narrow = task.scope.some((pattern) => pattern !== "**");
  const rank = (path: string) => {
    if (words.includes(path)) return 0;
    if (narrow && rules.writable(path)) return 1;
    return words.includes(path.slice(path.lastIndexOf("/") + 1)) ? 2 : 3;
  };
  const ranked = files.map((path) => ({ path, rank: rank(path) })).sort((a, b) => a.rank - b.rank);
  const shown: string[] = [];
  const left: string[] = [];
  for (const { path } of ranked) {
    const size = tree.lookup(path)?.size ?? 0;
    const text = size > Math.min(room, MAX_FILE_CHARS) ? null : await readText(tree, path);
    if (text === null || text.length > room) {
      left.push(path);
      continue;
    }
    room -= text.length + path.length + 16;
    shown.push(`--- ${path}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}`);
    if (left.length > MAX_LISTED && room < 200) break;
  }
  const listed = left.slice(0, MAX_LISTED).map((path) => `  ${path} (${tree.lookup(path)?.size ?? 0} bytes)`);
  if (left.length > 0) shown.push(`--- not shown:\n${listed.join("\n")}${left.length > MAX_LISTED ? "\n  …" : ""}\n`);
  return shown.join("\n");
}
