import { DrydockError, type Plan } from "@drydock/protocol";
import { settlePlan } from "../../engine/index.ts";
import { sumUsage } from "../models/index.ts";
import type { GoalOptions } from "./api.ts";
import { continueRun } from "./continue-run.ts";
import type { GoalPorts } from "./goal-ports.ts";
import { createGoalRun } from "./start-goal.ts";

/** A plan for a goal: on record as a run of its own, and not carried out. */
export async function planGoal(ports: GoalPorts, options: Omit<GoalOptions, "plan">): Promise<Plan> {
  const run = await createGoalRun(ports, { ...options, apply: "never" });
  let plan: Plan | undefined;
  const { error, reason } = await continueRun(ports, run, async (context) => {
    plan = await settlePlan(context, { goal: run.request.goal, plan: null });
    const usage = sumUsage(context.journal.events());
    return { type: "run.succeeded", data: { verdict: "unverified", treeHash: null, reason: "Planned only.", usage } };
  });
  if (plan) return plan;
  const { code, message, hint, ...data } = error ?? { code: "internal" as const, message: reason, hint: "" };
  throw new DrydockError(code, message, hint, data);
}
