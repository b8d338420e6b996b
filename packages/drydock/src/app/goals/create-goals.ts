import { DrydockError, hasEnded, type PlanAccepted } from "@drydock/protocol";
import { requireRun } from "../runs/require-run.ts";
import type { Track } from "../runs/track-calls.ts";
import type { Goals, OrderedGoals } from "./api.ts";
import type { GoalPorts } from "./goal-ports.ts";

/** The engine is loaded with the first goal: most uses of a dock have none. */
export function createGoals(ports: GoalPorts, track: Track): Goals & OrderedGoals {
  const load = () => import("./actions.ts");
  return {
    run: (options) => track(options.signal, async (signal) => (await load()).startGoal(ports, { ...options, signal })),
    resume: (runId, options = {}) =>
      track(options.signal, async (signal) => (await load()).resumeGoal(ports, runId, { ...options, signal })),
    plan: (options) => track(options.signal, async (signal) => (await load()).planGoal(ports, { ...options, signal })),
    review: (runId, review, options = {}) =>
      track(options.signal, async (signal) => (await load()).reviewPlan(ports, runId, review, { ...options, signal })),
    runFrom: (runId, task, options = {}) =>
      track(options.signal, async (signal) => (await load()).runFrom(ports, runId, task, { ...options, signal })),
    order: async (options) => (await load()).orderGoal(ports, options),
    carryOut: async (run, watch) => (await load()).carryGoal(ports, run, watch),
    async pause(runId) {
      // One that does not run stands still already, and is not to stop again when it is taken up.
      const run = await requireOpen(ports, runId);
      if (run.status === "running") await ports.ledger.requests.send(runId, "pause");
    },
    async cancel(runId) {
      const run = await requireOpen(ports, runId);
      if (run.status === "running") return ports.ledger.requests.send(runId, "cancel");
      const error = new DrydockError(
        "run.cancelled",
        "The run was cancelled.",
        "Start it again when you want it.",
      ).toInfo();
      await ports.ledger.finish(runId, {
        type: "run.cancelled",
        data: { verdict: "unverified", treeHash: null, error },
      });
    },
    async retry(runId, task) {
      await requireOpen(ports, runId);
      await requireTask(ports, runId, task);
      await ports.ledger.requests.send(runId, "retry", { task });
    },
  };
}

async function requireTask(ports: GoalPorts, runId: string, task: string): Promise<void> {
  const known = (await ports.readEvents(runId)).flatMap(({ type, data }) => {
    if (type === "plan.accepted") return (data as PlanAccepted).plan.tasks.map(({ id }) => id);
    return type === "task.added" ? [String(data.task)] : [];
  });
  if (known.includes(task)) return;
  const hint = known.length === 0 ? "It has no plan yet." : `Its tasks are: ${known.slice(0, 20).join(", ")}.`;
  throw new DrydockError("input.invalid", `Run ${runId} has no task ${task}.`, hint, { runId, task });
}

async function requireOpen({ ledger }: GoalPorts, runId: string) {
  const run = await requireRun(ledger, runId);
  if (run.kind !== "goal") {
    const hint = "Only goals can be paused, or have a task tried again. `drydock runs cancel` is for other runs, too.";
    throw new DrydockError("input.invalid", `Run ${runId} is of the kind ${run.kind}, not a goal.`, hint, { runId });
  }
  if (!hasEnded(run)) return run;
  throw new DrydockError("input.invalid", `Run ${runId} has ended (${run.status}).`, "Start a new run.", { runId });
}
