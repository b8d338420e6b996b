import type { ChangedPath } from "../changed-paths.ts";
import { diffFile } from "../file-diff.ts";
import { type Finding, failed } from "../finding.ts";
import type { IsNamed } from "../implied/who-may-change.ts";
import type { JudgedTree } from "../judged-tree.ts";
import type { CheckRecord } from "./base-record.ts";
import { holdsExpectations } from "./holds-expectations.ts";
import { findNameShadows } from "./name-shadows.ts";
import { findObservedShadows } from "./observed-shadows.ts";
import { hasSameSettings } from "./settings-files.ts";
import type { TestInput } from "./test-inputs.ts";

export interface GuardFinding {
  path: string;
  finding: Finding;
}

const MAX_FINDINGS = 20;

/** What was seen to decide over the checks is as it was, and nothing was added that takes its place. */
export async function guardInputs(options: {
  changed: readonly ChangedPath[];
  records: readonly CheckRecord[];
  inputs: ReadonlyMap<string, TestInput>;
  before: JudgedTree;
  tree: JudgedTree;
  /** Whether the task's scope or a person names this path. */
  isNamed: IsNamed;
}): Promise<GuardFinding[]> {
  const { changed, records, inputs, before, tree, isNamed } = options;
  const findings: GuardFinding[] = [];
  for (const { path, kind } of changed) {
    const input = kind === "added" ? undefined : inputs.get(path);
    if (!input || isNamed(path, input.kind === "command" ? "script" : true)) continue;
    if (input.kind === "command" && !(await decides(path, before))) continue;
    if (kind === "changed" && (await isHarmlessChange(path, before, tree))) continue;
    const reason = `${path} was ${kind}, and ${input.why} on the untouched tree. ${howToAllow(path)}`;
    const evidence = { path, kind, rule: "inputs", diff: await diffFile(before, tree, path) };
    findings.push({ path, finding: failed("input_changed", reason, evidence) });
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
    if (isNamed(path, true)) continue;
    const reason = `${path} was added, and ${why}. ${howToAllow(path)}`;
    findings.push({ path, finding: failed("takes_over", reason, { path, kind: "added", rule: "shadows" }) });
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}

/** A program that a command runs is the work, unless it compares or asserts something. */
export async function decides(path: string, before: JudgedTree): Promise<boolean> {
  return holdsExpectations(path, (await before.read(path))?.toString() ?? "");
}

export function howToAllow(path: string): string {
  return `Only a person can allow that: drydock run --may-change '${path.replaceAll("'", "'\\''")}'.`;
}

export async function isHarmlessChange(path: string, before: JudgedTree, tree: JudgedTree): Promise<boolean> {
  const [was, is] = await Promise.all([before.read(path), tree.read(path)]);
  return was !== null && is !== null && (await hasSameSettings(path, was.toString(), is.toString()));
}
