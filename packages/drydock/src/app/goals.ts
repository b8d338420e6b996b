import { DrydockError, type Plan, PlanAccepted } from "@drydock/protocol";
import type { GoalOptions, GoalResult, ResumeOptions } from "./goals/goal-options.ts";
import type { GoalPorts } from "./goals/goal-ports.ts";
import type { ReplayOptions, ReplayResult } from "./goals/replay-goal.ts";

/** From a sentence to a verified change. */
export interface Goals {
  /** Plans, works, proves, and delivers what passed. Rejects for what can't be read; all else is a result. */
  run(options: GoalOptions): Promise<GoalResult>;
  /** Takes up a run that was paused or interrupted. One that has ended is only delivered, where that is still to be done. */
  resume(runId: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Makes a plan without carrying it out. */
  plan(options: Pick<GoalOptions, "goal" | "workspace" | "model" | "policy" | "budget" | "signal">): Promise<Plan>;
  /** Executes a run again from its recorded answers, without a model, and names every step that comes out differently. */
  replay(runId: string, options?: ReplayOptions): Promise<ReplayResult>;
  /** A new run that takes over what an old one proved and does one task, with all that depend on it, live again. */
  runFrom(runId: string, task: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Asks the process that holds the run to stop after the step at hand; `resume` goes on from there. */
  pause(runId: string): Promise<void>;
  /** Ends the run, in whatever process it is. */
  cancel(runId: string): Promise<void>;
  /** Does one task of a run that has not ended again, with all that depend on it. */
  retry(runId: string, task: string): Promise<void>;
}

/** The engine is loaded with the first goal: most uses of a dock have none. */
export function createGoals(
  ports: GoalPorts,
  track: <T>(signal: AbortSignal | undefined, act: (signal: AbortSignal) => Promise<T>) => Promise<T>,
): Goals {
  const load = () => import("./goals/index.ts");
  return {
    run: (options) => track(options.signal, async (signal) => (await load()).startGoal(ports, { ...options, signal })),
    resume: (runId, options = {}) =>
      track(options.signal, async (signal) => (await load()).resumeGoal(ports, runId, { ...options, signal })),
    plan: (options) => track(options.signal, async (signal) => (await load()).planGoal(ports, { ...options, signal })),
    replay: (runId, options = {}) =>
      track(options.signal, async (signal) => (await load()).replayGoal(ports, runId, { ...options, signal })),
    runFrom: (runId, task, options = {}) =>
      track(options.signal, async (signal) => (await load()).runFrom(ports, runId, task, { ...options, signal })),
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
    if (type === "plan.accepted") return PlanAccepted.parse(data).plan.tasks.map(({ id }) => id);
    return type === "task.added" ? [String(data.task)] : [];
  });
  if (known.includes(task)) return;
  const hint = known.length === 0 ? "It has no plan yet." : `Its tasks are: ${known.slice(0, 20).join(", ")}.`;
  throw new DrydockError("input.invalid", `Run ${runId} has no task ${task}.`, hint, { runId, task });
}

async function requireOpen({ ledger }: GoalPorts, runId: string) {
  const run = await ledger.getRun(runId);
  if (!run) {
    const hint = "`drydock runs list` shows the runs there are.";
    throw new DrydockError("run.not_found", `There is no run ${runId}.`, hint, { runId });
  }
  if (run.kind === "goal" && ["running", "paused", "interrupted"].includes(run.status)) return run;
  throw new DrydockError("input.invalid", `Run ${runId} has ended (${run.status}).`, "Start a new run.", { runId });
}
