import type { ControlEvidence } from "@drydock/protocol";
import type { Observed } from "../../../../sandbox/index.ts";
import type { RunPython } from "../../../source/run-python.ts";
import type { CheckFinding } from "../../check-finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import type { JudgedTree, TreeEdit } from "../../judged-tree.ts";
import type { CommandCheck } from "../records/base-record.ts";
import type { TestInput } from "../test-inputs.ts";
import { describeControl } from "./describe-control.ts";

export interface ControlOptions {
  check: CommandCheck;
  context: JudgeContext;
  /**
   * Inputs of the judged tree; those that the change was not allowed to touch are in the state of the untouched tree.
   */
  inputs: ReadonlyMap<string, TestInput>;
  /** Data that tests name to the work: it is what goes in, and need not be what should come out. */
  told?: ReadonlySet<string>;
  /** Test files that the judged work added. */
  addedTests: readonly string[];
  /** Source that the judged work added or changed. */
  changedSource: readonly string[];
  newlyPassing: readonly string[];
  /** Whether a test runner reported tests. */
  hasTests: boolean;
  /** Whether the check takes so long that it is tried in fewer ways. */
  isSlow: boolean;
  /** What the sandbox saw of the check on the judged tree; null where it can't look. */
  observed: Observed | null;
  judge: (check: CommandCheck, context: JudgeContext) => Promise<CheckFinding>;
  runPython: RunPython;
  salt: string;
}

/** Parsers are loaded by those who spoil. */
export const loadSpoilers = () => import("../../../mutate/index.ts");

/** A tree in which something was made wrong, and the check that is made on it. */
export interface ControlTree {
  kind: ControlEvidence["kind"];
  check: CommandCheck;
  edits: TreeEdit[];
  count: number;
}

/** Whether the check came to an end of its own: one that ran out of time has not said that something is wrong. */
export function isAnswer({ verdict, code }: CheckFinding): boolean {
  return verdict === "passed" || code === "exit_code" || code === "not_found";
}

export function noControl(reason: string): ControlEvidence {
  return { kind: "none", edits: 0, failed: null, survivors: [], reason };
}

export async function tryControl(
  spoilt: ControlTree,
  options: ControlOptions,
  suspects: readonly string[],
): Promise<ControlEvidence> {
  const { kind, count } = spoilt;
  const finding = await judgeSpoilt(spoilt, options);
  if (!isAnswer(finding)) return noControl(`No control was made: ${finding.reason}`);
  const failed = finding.verdict !== "passed";
  const passing = passingIn(finding);
  const survivors = suspects.filter((id) => passing.has(id));
  return { kind, edits: count, failed, survivors, reason: describeControl(kind, count, failed, survivors) };
}

export async function judgeSpoilt(
  { check, edits }: ControlTree,
  { context, judge }: ControlOptions,
): Promise<CheckFinding> {
  // A control needs only the results of the tests.
  const tree = edits.length === 0 ? context.tree : await derive(context.tree, edits);
  return judge(check, { ...context, tree, watch: undefined });
}

export function passingIn({ ran }: CheckFinding): Set<string> {
  return new Set(ran?.report?.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id) ?? []);
}

export function toEdit({ path, content }: { path: string; content: string }): TreeEdit {
  return { path, content: Buffer.from(content) };
}

function derive(tree: JudgedTree, edits: readonly TreeEdit[]): Promise<JudgedTree> {
  if (!tree.edit) throw new Error("this tree can't be changed for a control");
  return tree.edit(edits);
}
