import { DrydockError, type Plan, PlanAccepted, PlanProposed, type TaskStatus, type Verdict } from "@drydock/protocol";
import { startOf } from "./control/followed-work.ts";
import { judgeResult } from "./control/judge-result.ts";
import { type ControlPorts, runTasks } from "./control/run-tasks.ts";
import type { TaskBoard } from "./control/task-board.ts";
import { type EngineContext, openTree, RunPaused } from "./engine-context.ts";
import { isUsersPlan } from "./plan/is-users-plan.ts";
import { describeProblems, makePlan } from "./plan/make-plan.ts";
import { planRepair } from "./plan/plan-repair.ts";
import { type PlanAuthor, validatePlan } from "./plan/validate-plan.ts";

export interface GoalToRun {
  goal: string;
  /** From a file, the backlog or an older run; null: a planner makes one. */
  plan: { plan: Plan; source: string } | null;
}

export interface GoalOutcome {
  verdict: Verdict;
  treeHash: string | null;
  tasks: Record<string, TaskStatus>;
  reason: string;
}

/**
 * From a goal to a verdict. A plain function over ports: whatever it has done is in the journal, and calling it again over
 * the same journal goes on from there. Nothing is delivered here.
 */
export async function runGoal(opened: EngineContext, request: GoalToRun, control: ControlPorts): Promise<GoalOutcome> {
  const plan = await settlePlan(opened, request);
  const context = { ...opened, settings: { ...opened.settings, planIsUsers: isUsersPlan(opened) } };
  const { board, combined } = await runTasks(context, plan, control);
  const tasks = Object.fromEntries(board.states().map(({ task, status }) => [task.id, status]));
  if (combined === null) return { verdict: "failed", treeHash: null, tasks, reason: describeFailure(board) };
  if (!combined.ok) {
    const reason = `The result of ${combined.task} conflicts with the other results: ${combined.conflicts.join(", ")}.`;
    return { verdict: "failed", treeHash: null, tasks, reason };
  }
  const { verdict, treeHash, reason } = await judgeResult(context, board, combined.layer);
  return { verdict, treeHash, tasks, reason };
}

/** The plan that will be carried out: on record before anything is done for it. */
export async function settlePlan(context: EngineContext, request: GoalToRun): Promise<Plan> {
  const recorded = context.journal.find("plan.accepted", "plan");
  if (recorded) return PlanAccepted.parse(recorded.data).plan;
  const held = context.journal.find("plan.proposed", "plan");
  const proposed = held
    ? PlanProposed.parse(held.data).plan
    : (request.plan?.plan ?? (await proposePlan(context, request.goal)));
  const what = request.plan === null ? "The plan" : `The plan (${request.plan.source})`;
  const plan = await requireValid(context, proposed, context.settings.planIsUsers ? "person" : "planner", what);
  const source = request.plan?.source ?? (context.settings.worker === "repair" ? "repair" : "planner");
  const review = (await context.review?.(plan)) ?? { kind: "none" as const };
  if (review === "later") {
    const data: PlanProposed = { key: "plan", plan, source };
    if (!held) await context.journal.append([{ type: "plan.proposed", key: "plan", data }]);
    throw new RunPaused("The plan waits for a review.", { waitsFor: "review" });
  }
  if (review.kind === "rejected") {
    throw new DrydockError(
      "policy.approval_denied",
      `The plan was rejected: ${review.reason}`,
      "Change the goal or the plan, and run again.",
    );
  }
  const final = review.kind === "edited" ? await requireValid(context, review.plan, "person", "The edited plan") : plan;
  const data: PlanAccepted = {
    key: "plan",
    plan: final,
    source,
    review: review.kind,
  };
  await context.journal.append([{ type: "plan.accepted", key: "plan", data }]);
  return final;
}

async function proposePlan(context: EngineContext, goal: string): Promise<Plan> {
  const tree = await openTree(context, startOf(context.settings));
  if (context.settings.worker === "repair") return planRepair(context, goal, tree);
  return makePlan(context, {
    goal,
    tree,
    followed: context.settings.followed?.account ?? null,
    profile: context.profile,
    policy: context.policy,
    required: context.settings.required,
    tries: context.settings.planTries,
    signal: context.signal,
    onText: (text) => context.onProgress?.({ kind: "text", task: null, text }),
  });
}

async function requireValid(context: EngineContext, input: unknown, author: PlanAuthor, what: string): Promise<Plan> {
  const checked = await validatePlan(input, context.policy, author);
  if (checked.ok) return checked.plan;
  const { problems } = checked;
  await context.journal.append([{ type: "plan.refused", key: "plan", data: { key: "plan", problems } }]);
  throw new DrydockError(
    "plan.invalid",
    `${what} is not valid: ${describeProblems(problems)}`,
    "Fix these problems, and run it again.",
    { problems },
  );
}

function describeFailure(board: TaskBoard): string {
  const failed = board.states().filter((state) => state.status === "failed");
  const shown = failed.slice(0, 3).map(({ task, reason }) => `${task.id}: ${reason}`);
  return shown.length === 0 ? "Not all tasks were done." : shown.join(" ");
}
