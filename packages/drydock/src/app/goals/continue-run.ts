import { DrydockError, type EffectivePolicy, type Layer, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import { type ControlPorts, type EngineContext, loadRecords, RunPaused, runGoal } from "../../engine/index.ts";
import type { NewEvent } from "../../ledger/index.ts";
import type { Model } from "../../models/index.ts";
import type { Workbench } from "../../sandbox/index.ts";
import { sumUsage } from "../models/index.ts";
import { openControl } from "../runs/open-control.ts";
import { openJournal } from "../runs/open-journal.ts";
import { asDrydockError } from "../runs/refuse-run.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import type { GoalOptions, GoalResult } from "./api.ts";
import { deliverGoal } from "./deliver-goal.ts";
import { type FollowedRun, settleFollowed } from "./follow/settle-followed.ts";
import type { GoalPorts } from "./goal-ports.ts";
import type { GoalRequest } from "./goal-request.ts";
import { openContext } from "./open-context.ts";

export interface GoalRun {
  runId: string;
  workspace: string;
  policy: EffectivePolicy;
  request: GoalRequest;
  watch: Pick<GoalOptions, "signal" | "onEvent" | "onProgress" | "review" | "confirm">;
  /** Opens the model; `events` are the run's earlier records. */
  openModel(events: readonly RunEvent[]): Promise<Model | null>;
  /** Where the searches of a run are not made again, but read. */
  searchRepair?: EngineContext["searchRepair"];
  /** The untouched tree, where that is not the workspace as it is. */
  findInitial?(workbench: Workbench): Promise<Layer | null>;
  /** A worker carries it out under a claim. */
  isClaimed?: boolean;
  /** The run that it follows, where its own record does not have it yet. */
  findFollowed?(workbench: Workbench): Promise<FollowedRun | null>;
}

/** The work of a recorded run. The run ends with the terminal event that it returns. */
export type GoalWork = (context: EngineContext, control: ControlPorts) => Promise<NewEvent>;

/** Carries a run on from wherever its record says it is, up to its end or its next pause. */
export async function continueRun(ports: GoalPorts, run: GoalRun, work: GoalWork = workOn(run)): Promise<GoalResult> {
  const { ledger } = ports;
  const { runId, watch } = run;
  const past = await ports.readEvents(runId);
  // Its process may have gone after the verdict and before the delivery.
  if (past.some(({ type }) => (TERMINAL_EVENTS as readonly string[]).includes(type))) return conclude(ports, run, past);
  const recorder = await ports.openRecorder(runId, past);
  const onEvent = (event: RunEvent) => {
    recorder.onEvent(event);
    watch.onEvent?.(event);
  };
  const journal = openJournal(ledger, runId, past, onEvent);
  const control = openControl(ledger, runId, watch.signal);
  const notes = new Set<string>();
  let workbench: Workbench | undefined;
  try {
    const contents = createTreeContents(ledger, runId);
    workbench = await ports.sandbox().openWorkbench({
      ...{ workspace: run.workspace, policy: run.policy, contents },
      signal: control.signal,
    });
    const initial = (await run.findInitial?.(workbench)) ?? null;
    if (initial && !journal.find("layer.captured", "initial")) {
      const layer = (await ledger.blobs.put(Buffer.from(JSON.stringify(initial)), { runId })).sha256;
      await journal.append([{ type: "layer.captured", key: "initial", data: { layer, treeHash: initial.treeHash } }]);
    }
    const followed = await settleFollowed(ports, run, { journal, workbench, initial });
    const parts = { journal, workbench, signal: control.signal, initial, followed, notes };
    const context = await openContext(ports, run, parts);
    const terminal = await work(context, control);
    for (const event of await ledger.finish(runId, terminal)) onEvent(event);
  } catch (error) {
    // It is no end of the run that its record could not be reached: another attempt goes on from there.
    if (run.isClaimed && error instanceof DrydockError && error.code === "ledger.unavailable") throw error;
    for (const event of await endEarly(ports, runId, error, control.signal, journal.events())) onEvent(event);
  } finally {
    await workbench?.close();
    control.close();
  }
  const delivered = await deliverGoal(ports, run, onEvent);
  await recorder.flush();
  return describeResult(ports, runId, { ...delivered, notes: [...delivered.notes, ...notes] });
}

async function conclude(ports: GoalPorts, run: GoalRun, past: readonly RunEvent[]): Promise<GoalResult> {
  const recorder = await ports.openRecorder(run.runId, past);
  const delivered = await deliverGoal(ports, run, (event) => {
    recorder.onEvent(event);
    run.watch.onEvent?.(event);
  });
  await recorder.flush();
  return describeResult(ports, run.runId, delivered);
}

function workOn({ request }: GoalRun): GoalWork {
  return async (context, control) => {
    const plan = request.plan === null ? null : { plan: request.plan, source: request.planSource ?? "given" };
    const { verdict, treeHash, tasks, reason } = await runGoal(context, { goal: request.goal, plan }, control);
    const usage = sumUsage(context.journal.events());
    const data = { verdict, treeHash, tasks, reason, error: null, usage };
    return { type: verdict === "passed" ? "run.succeeded" : "run.failed", data };
  };
}

/** A pause leaves the run open; whatever else was thrown ends it, and says why. */
async function endEarly(
  { ledger }: GoalPorts,
  runId: string,
  error: unknown,
  signal: AbortSignal,
  events: readonly RunEvent[],
): Promise<RunEvent[]> {
  if (error instanceof RunPaused) return [await ledger.pause(runId, error.data)];
  const isCancelled = signal.aborted || (error instanceof DrydockError && error.code === "run.cancelled");
  const cause = isCancelled
    ? new DrydockError("run.cancelled", "The run was cancelled.", "Start it again when you want it.")
    : asDrydockError(error);
  const data = {
    verdict: "unverified",
    treeHash: null,
    reason: cause.message,
    error: cause.toInfo(),
    usage: sumUsage(events),
  };
  return ledger.finish(runId, { type: isCancelled ? "run.cancelled" : "run.failed", data });
}

async function describeResult(
  ports: GoalPorts,
  runId: string,
  delivered: Pick<GoalResult, "delivery" | "notes"> & { error: GoalResult["error"] },
): Promise<GoalResult> {
  const run = await ports.ledger.getRun(runId);
  const events = await ports.readEvents(runId);
  const last = events.findLast((event) =>
    ["run.succeeded", "run.failed", "run.cancelled", "run.paused"].includes(event.type),
  );
  const data = last?.data ?? {};
  const usage = sumUsage(events);
  const { reportRepairs } = await loadRecords();
  return {
    runId,
    status: run?.status ?? "lost",
    verdict: run?.verdict ?? "unverified",
    treeHash: run?.treeHash ?? null,
    reason: typeof data.reason === "string" ? data.reason : "",
    tasks: (data.tasks ?? {}) as GoalResult["tasks"],
    error: delivered.error ?? ((data.error ?? null) as GoalResult["error"]),
    repairs: reportRepairs(events),
    usage,
    costPerVerifiedUsd: run?.verdict === "passed" ? usage.costUsd : null,
    delivery: delivered.delivery,
    notes: delivered.notes,
  };
}
