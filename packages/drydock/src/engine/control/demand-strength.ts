import {
  type Check,
  type CheckResult,
  describeStrength as describeFigure,
  describeShortfall,
  type GuardCode,
  type StrengthEvidence,
  type Verification,
} from "@drydock/protocol";
import type { WorkTree } from "../../sandbox/index.ts";
import type { EngineContext } from "../engine-context.ts";
import { toJudgedTree } from "../verify/index.ts";

const MAX_SHOWN = 10;

/**
 * Measures, if the user requires it, how many small faults in the added code the checks notice. If they notice too few,
 * the change fails, and the next attempt gets the list of faults that no check noticed.
 */
export async function demandStrength(
  { settings, workbench, policy, runner, signal }: EngineContext,
  judged: { tree: WorkTree; base: WorkTree; checks: readonly Check[]; verification: Verification },
): Promise<Verification> {
  const { minStrength } = settings;
  const { verification, checks } = judged;
  if (minStrength === null || verification.verdict !== "passed") return verification;
  const { measureChangeStrength } = await import("../mutate/index.ts");
  const tree = toJudgedTree(workbench, judged.tree);
  const before = toJudgedTree(workbench, judged.base);
  const strength = await measureChangeStrength({ tree, before, checks, policy, runner, signal });
  // What people require runs on the whole result, and not on what one of several tasks leaves.
  const isLeftOut = strength.unmeasured === "no_check" && settings.required.length > 0;
  const result = describeStrength(strength, minStrength, verification.treeHash, isLeftOut);
  const all = [...verification.checks, result];
  if (result.verdict === "passed") return { ...verification, checks: all };
  return { ...verification, verdict: "failed", reason: result.reason, checks: all };
}

function describeStrength(
  strength: StrengthEvidence,
  wanted: number,
  treeHash: string,
  isLeftOut: boolean,
): CheckResult {
  const { killed, total, score, survivors } = strength;
  const isEnough = isLeftOut || describeShortfall(strength, wanted) === null;
  const noticed = `The checks notice ${killed} of ${total} small faults in the change`;
  const found = score === null ? `${describeFigure(strength)}.` : `${noticed}.`;
  const percent = Number((wanted * 100).toFixed(2));
  const missing =
    score === null
      ? `${describeFigure(strength)}; at least ${percent} % are required (--min-strength).`
      : `${noticed}; at least ${percent} % are required (--min-strength). Add tests for the lines that are shown.`;
  return {
    type: "strength",
    verdict: isEnough ? "passed" : "failed",
    reason: isEnough ? found : missing,
    code: isEnough ? "passed" : ("too_weak" satisfies GuardCode),
    evidence: {
      diff: survivors
        .slice(0, MAX_SHOWN)
        .map(({ diff }) => diff)
        .join("\n"),
    },
    durationMs: 0,
    treeHash,
    check: { type: "strength", min: wanted },
    implied: true,
    strength,
  };
}
