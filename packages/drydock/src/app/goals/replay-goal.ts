import { type Divergence, DrydockError, ModelAnswer, PlanAccepted, type Run, type RunEvent } from "@drydock/protocol";
import { compareRuns, type RepairOutcome } from "../../engine/index.ts";
import { findAltered } from "../../ledger/index.ts";
import { createReplayModel, type Model } from "../../models/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import type { GoalOptions, ReplayOptions, ReplayResult } from "./api.ts";
import { findBase, type RecordedContents } from "./find-base.ts";
import { type FollowedRun, readFollowed } from "./follow/settle-followed.ts";
import type { GoalPorts } from "./goal-ports.ts";
import type { GoalRequest } from "./goal-request.ts";
import { continueRun, type GoalRun } from "./run-goal.ts";
import { readFrozen, requireRun } from "./start-goal.ts";

/** A run with everything that was recorded about it: of this home, or from elsewhere. */
export interface RecordedRun {
  run: Run;
  events: readonly RunEvent[];
  contents: RecordedContents;
  /** The request, if it is not taken from the first event: that of an imported record is not trusted. */
  request?: GoalRequest;
}

/** Executes a run of this home again. */
export async function replayGoal(ports: GoalPorts, runId: string, options: ReplayOptions): Promise<ReplayResult> {
  const run = await requireRun(ports, runId);
  return replayRecorded(ports, { run, events: await ports.readEvents(runId), contents: ports.ledger.blobs }, options);
}

/**
 * Executes a run again, from its recorded answers, in fresh sandboxes, and compares. Nothing is delivered. What somebody
 * altered in the record is a divergence at that step, whatever comes of it.
 */
export async function replayRecorded(
  ports: GoalPorts,
  { run: old, events, contents, request: oldRequest }: RecordedRun,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const runId = old.id;
  const frozen = readFrozen(old, events[0], "replayed");
  const workspace = options.workspace === undefined ? frozen.workspace : resolveWorkspace(options.workspace, ports.own);
  const altered = findAltered(events).map(describeAltered);
  const request = {
    ...(oldRequest ?? frozen.request),
    apply: "never" as const,
    branch: null,
    staleSeconds: 0,
    replayOf: runId,
  };
  const { effective: policy } = await ports.policies.resolve({ workspace, request: frozen.policy });
  const data = { policy, request };
  const { id } = await ports.ledger.createRun({ kind: "goal", title: `Replay of ${runId}`, workspace, data });
  const run: GoalRun = {
    runId: id,
    workspace,
    policy,
    request,
    watch: { ...options, review: reviewAgain(events) },
    openModel: async () => openRecorded(contents, events, altered),
    searchRepair: (key) => readRecordedSearch(contents, events, key),
    findInitial: (workbench) => findBase(contents, workbench, events),
    findFollowed: () => readRecordedFollowed(contents, events),
  };
  const result = await continueRun(ports, run);
  if (result.error?.code === "run.cancelled")
    throw new DrydockError("run.cancelled", result.error.message, result.error.hint);
  const found = compareRuns(events, await ports.readEvents(id));
  // Where the run began on another tree, all else follows from that.
  const divergences = [
    ...(result.error?.code === "delivery.conflict" ? [describeWorkspace(result.error)] : []),
    ...altered,
    ...found,
  ];
  return {
    runId: id,
    replayOf: runId,
    ok: divergences.length === 0,
    verdict: result.verdict,
    treeHash: result.treeHash,
    steps: events.filter((event) => typeof event.data.key === "string").length,
    divergences,
  };
}

/** What the run took over of another one, as it was then: that one may be gone, or elsewhere. */
async function readRecordedFollowed(
  contents: RecordedContents,
  events: readonly RunEvent[],
): Promise<FollowedRun | null> {
  const recorded = events.find(({ type }) => type === "run.followed");
  if (!recorded) return null;
  return { ...(await readFollowed(contents, recorded.data)), run: String(recorded.data.run), contents };
}

/** A search is not made again: its changes are judged again. */
async function readRecordedSearch(
  contents: RecordedContents,
  events: readonly RunEvent[],
  key: string,
): Promise<RepairOutcome> {
  const recorded = events.findLast(({ type, data }) => type === "repair.finished" && data.key === key);
  if (recorded)
    return JSON.parse((await contents.readWhole(String(recorded.data.outcome))).toString()) as RepairOutcome;
  const reason = { code: "nothing_fails", message: "The record holds no search for this task." } as const;
  return { found: [], bestPartial: null, tried: 0, seconds: 0, stopped: "cannot", reason, localisation: null };
}

/** The recorded answers, each under the name of its request. One whose content is not what its hash says is none. */
function openRecorded(contents: RecordedContents, events: readonly RunEvent[], altered: Divergence[]): Model {
  const answers = new Map(
    events.filter((event) => event.type === "model.answered").map((event) => [String(event.data.key), event.data]),
  );
  const failures = new Map(
    events.filter((event) => event.type === "model.failed").map((event) => [String(event.data.key), event.data]),
  );
  return createReplayModel(async ({ key = "" }) => {
    const recorded = answers.get(key);
    if (!recorded) {
      const failed = failures.get(key)?.error as { message?: string } | undefined;
      if (failed) throw new DrydockError("model.failed", String(failed.message), "So it was recorded.");
      return null;
    }
    try {
      return ModelAnswer.parse(JSON.parse((await contents.readWhole(String(recorded.answer))).toString()));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      altered.push({ step: key, what: "the recorded answer", recorded: recorded.answer, replayed: reason });
      return null;
    }
  });
}

function describeAltered({ type, seq, data }: RunEvent): Divergence {
  const step = typeof data.key === "string" ? data.key : type;
  return { step, what: `event ${seq} (${type})`, recorded: "what its hash says", replayed: "something else" };
}

function describeWorkspace(error: { message: string; [name: string]: unknown }): Divergence {
  return {
    step: "workspace",
    what: "the tree",
    recorded: error.wanted ?? null,
    replayed: error.found ?? error.message,
  };
}

/** Repeats the person's decision about the plan. */
function reviewAgain(events: readonly RunEvent[]): GoalOptions["review"] {
  const accepted = PlanAccepted.safeParse(events.find((event) => event.type === "plan.accepted")?.data).data;
  if (accepted?.review === "approved") return async () => ({ kind: "approved" });
  if (accepted?.review === "edited") return async () => ({ kind: "edited", plan: accepted.plan });
  return undefined;
}
