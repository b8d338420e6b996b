import { type Check, DrydockError } from "@drydock/protocol";
import { type CheckFinding, refused } from "./check-finding.ts";
import { describeCheckType } from "./check-types/check-types.ts";
import type { JudgeContext } from "./judge-context.ts";
import { findCheckProblem } from "./refuse-check.ts";

/** One check on one tree. What the policy forbids is a finding; a sandbox that can't be had is thrown. */
export async function judgeCheck(check: Check, context: JudgeContext): Promise<CheckFinding> {
  const problem = await findCheckProblem(check, context);
  if (problem) return refused(problem.code, problem.reason);
  try {
    return await describeCheckType(check).judge(check, context);
  } catch (error) {
    if (!(error instanceof DrydockError) || !error.code.startsWith("policy.")) throw error;
    return refused(error.code.slice("policy.".length), error.message, { hint: error.hint });
  }
}
