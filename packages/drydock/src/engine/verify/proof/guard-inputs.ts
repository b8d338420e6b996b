import type { ChangedPath } from "../changed-paths.ts";
import { broken, type CheckFinding } from "../check-finding.ts";
import { diffFile } from "../file-diff.ts";
import { isTestFile } from "../implied/test-files.ts";
import type { MayChange } from "../implied/who-may-change.ts";
import type { JudgedTree } from "../judged-tree.ts";
import { holdsExpectations } from "./holds-expectations.ts";
import { findNameShadows } from "./name-shadows.ts";
import { findObservedShadows } from "./observed-shadows.ts";
import { isGoBetween } from "./program-roles.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { hasSameSettings } from "./settings-files.ts";
import type { TestInput } from "./test-inputs.ts";
import { keepsTestsInside } from "./tests-inside.ts";

export interface GuardFinding {
  path: string;
  finding: CheckFinding;
}

const MAX_FINDINGS = 20;

/** What was seen to decide over the checks is as it was, and nothing was added that takes its place. */
export async function guardInputs(
  options: GuardedTrees & { changed: readonly ChangedPath[]; inputs: ReadonlyMap<string, TestInput> },
): Promise<GuardFinding[]> {
  const { changed, records, inputs, before, tree, mayChange } = options;
  const findings: GuardFinding[] = [];
  for (const { path, kind } of changed) {
    const input = inputs.get(path);
    if (!input || !(await isGuardedChange({ path, kind }, input, { before, tree, mayChange, records }))) continue;
    const reason = `${path} was ${kind}, and ${input.why} on the untouched tree. ${howToAllow(path)}`;
    const evidence = { path, kind, rule: "inputs", diff: await diffFile(before, tree, path) };
    findings.push({ path, finding: broken("input_changed", reason, evidence) });
    if (findings.length >= MAX_FINDINGS) return findings;
  }
  const added = changed.filter(({ kind }) => kind === "added").map(({ path }) => path);
  const isGone = (path: string) => tree.lookup(path) === undefined;
  const existed = (path: string) => before.lookup(path) !== undefined;
  const shadows = [
    ...findObservedShadows(added, records, inputs, { isGone, existed }),
    ...(await findNameShadows(added, inputs, before)),
  ];
  for (const { path, why } of shadows) {
    if (mayChange(path, true)) continue;
    const reason = `${path} was added, and ${why}. ${howToAllow(path)}`;
    findings.push({ path, finding: broken("takes_over", reason, { path, kind: "added", rule: "shadows" }) });
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}

export interface GuardedTrees {
  before: JudgedTree;
  tree: JudgedTree;
  /** Whether the task's scope or a person names this path. */
  mayChange: MayChange;
  /** Of untouched trees. */
  records: readonly CheckRecord[];
}

/** Whether a file that decides over the checks was changed in what decides, without a person's word. */
export async function isGuardedChange(
  { path, kind }: ChangedPath,
  input: TestInput,
  { before, tree, mayChange, records }: GuardedTrees,
): Promise<boolean> {
  if (kind === "added" || mayChange(path, input.kind === "command" ? "script" : true)) return false;
  if (input.kind === "command" && !(await decides(path, before, tree))) return false;
  if (kind !== "changed") return true;
  const isOwn = input.kind === "tests" || input.kind === "command";
  if (isOwn && (await areTestsKept(path, before, tree))) return false;
  return !(await isHarmlessChange(path, before, tree, records));
}

export async function areTestsKept(path: string, before: JudgedTree, tree: JudgedTree): Promise<boolean> {
  const [was, is] = await Promise.all([before.read(path), tree.read(path)]);
  return was !== null && is !== null && keepsTestsInside(path, was.toString(), is.toString());
}

/** A program that a command runs is the work, unless it compares or asserts something, or is left with nothing to do. */
export async function decides(path: string, before: JudgedTree, tree: JudgedTree): Promise<boolean> {
  const [was, is] = await Promise.all([before.read(path), tree.read(path)]);
  const isEmptied = (is?.toString() ?? "").replace(/^\s*(#|\/\/).*$/gm, "").trim() === "";
  // Who turns a link elsewhere puts another program in the place of the one that it led to.
  return was === null || isEmptied || holdsExpectations(path, was.toString());
}

export function howToAllow(path: string): string {
  return `Only a person can allow that: drydock run --may-change '${path.replaceAll("'", "'\\''")}'.`;
}

export async function isHarmlessChange(
  path: string,
  before: JudgedTree,
  tree: JudgedTree,
  records: readonly CheckRecord[],
): Promise<boolean> {
  const [was, is] = await Promise.all([before.read(path), tree.read(path)]);
  if (was === null || is === null) return false;
  const use = { typeDecides: typeDecides(path, before), usedScripts: listUsedScripts(records) };
  return hasSameSettings(path, was.toString(), is.toString(), use);
}

/** Scripts that run others name them to a package manager, which is seen as well. */
function listUsedScripts(records: readonly CheckRecord[]): Set<string> | null {
  const words = new Set<string>();
  for (const { observed } of records) {
    if (!observed) return null;
    for (const program of observed.programs) {
      if (isGoBetween(program))
        for (const word of program.arguments) for (const part of word.split(" ")) words.add(part);
    }
  }
  return records.length > 0 ? words : null;
}

/** `.mjs` and `.cts` say by themselves what they are. */
function typeDecides(path: string, before: JudgedTree): boolean {
  if (!/(^|\/)package\.json$/.test(path)) return false;
  const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const below = before.paths(directory === "" ? undefined : directory);
  return below.some((each) => /\.[jt]sx?$/.test(each) && isTestFile(each));
}
