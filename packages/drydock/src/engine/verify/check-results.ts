import type { Check, CheckResult, GuardCode } from "@drydock/protocol";
import type { CheckFinding } from "./check-finding.ts";
import type { JudgedTree } from "./judged-tree.ts";

/** A finding as it is put on record. */
export function toResult(finding: CheckFinding, check: Check, tree: JudgedTree, durationMs: number): CheckResult {
  const { verdict, reason, code, evidence } = finding;
  const { type, name } = check;
  const fields = { type, ...(name !== undefined && { name }), verdict, reason, code, evidence };
  return { ...fields, durationMs: Math.round(durationMs), treeHash: tree.treeHash, check: { ...check } };
}

/** The directory below did not stay as it was. */
export function describeUnstable(tree: JudgedTree, rounds: number): CheckResult {
  return {
    type: "unchanged",
    verdict: "failed",
    reason:
      rounds === 1
        ? "Another process changed the workspace while the checks ran."
        : `Another process kept changing the workspace: the checks ran ${rounds} times, and it changed each time.`,
    code: "unstable" satisfies GuardCode,
    evidence: {},
    durationMs: 0,
    treeHash: tree.treeHash,
    check: { type: "unchanged", paths: ["**"] },
    implied: true,
  };
}
