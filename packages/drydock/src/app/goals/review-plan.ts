import { DrydockError, hasEnded, type PlanReview } from "@drydock/protocol";
import { describeProblems, validatePlan } from "../../engine/index.ts";
import { readPlanView } from "../runs/recorded/read-plan-view.ts";
import { requireRun } from "../runs/require-run.ts";
import type { GoalResult, ResumeOptions } from "./api.ts";
import type { GoalPorts } from "./goal-ports.ts";
import { readFrozen, resumeGoal } from "./start-goal.ts";

/** Takes up a run that waits with its plan, with what a person says to it. */
export async function reviewPlan(
  ports: GoalPorts,
  runId: string,
  review: PlanReview,
  options: ResumeOptions,
): Promise<GoalResult> {
  const run = await requireRun(ports.ledger, runId);
  const events = await ports.readEvents(runId);
  const waits = readPlanView(events)?.state === "proposed" && !hasEnded(run);
  if (!waits) {
    throw new DrydockError(
      "input.invalid",
      `Run ${runId} has no plan that waits for a review.`,
      "A run waits with its plan if it is started with `reviewPlan: true`, and it can be reviewed once.",
      { runId, status: run.status },
    );
  }
  if (review.kind === "edited") {
    // The run would end with a plan that is not valid; it can still be corrected here.
    const { policy } = readFrozen(run, events[0]);
    const checked = await validatePlan(review.plan, policy, "person");
    if (!checked.ok) {
      const { problems } = checked;
      const message = `The edited plan is not valid: ${describeProblems(problems)}`;
      throw new DrydockError("plan.invalid", message, "Fix these problems, and send it again.", { problems });
    }
  }
  return resumeGoal(ports, runId, { ...options, review: async () => review });
}
