import { type Divergence, DrydockError, PlanAccepted, type RunEvent } from "@drydock/protocol";
import { compareRuns, type RepairOutcome } from "../../engine/index.ts";
import { resolveWorkspace } from "../../sandbox/index.ts";
import { titleOfReplay } from "../runs/exec-ports.ts";
import { openRecordedModel, type RecordedContents } from "../runs/recorded/recorded-answers.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import type { GoalOptions } from "./api.ts";
import { continueRun, type GoalRun } from "./continue-run.ts";
import { findBase } from "./find-base.ts";
import { type FollowedRun, readFollowed } from "./follow/settle-followed.ts";
import type { GoalPorts } from "./goal-ports.ts";
import type { GoalRequest } from "./goal-request.ts";
import { readFrozen } from "./start-goal.ts";

/** A goal's run with everything that was recorded about it: of this home, or from elsewhere. */
interface RecordedGoal extends RecordedRun {
  contents: RecordedContents;
  /** The request, if it is not taken from the first event: that of an imported record is not trusted. */
  request?: GoalRequest;
}

/** Executes a run again, from its recorded answers, in fresh sandboxes, and compares. Nothing is delivered. */
export async function replayGoal(
  ports: GoalPorts,
  { run: old, events, contents, request: oldRequest }: RecordedGoal,
  options: { workspace?: string; signal?: AbortSignal },
) {
  const runId = old.id;
  const frozen = readFrozen(old, events[0], "replayed");
  const workspace = options.workspace === undefined ? frozen.workspace : resolveWorkspace(options.workspace, ports.own);
  const altered: Divergence[] = [];
  const request = {
    ...(oldRequest ?? frozen.request),
    apply: "never" as const,
    branch: null,
    staleSeconds: 0,
    replayOf: runId,
  };
  const { effective: policy } = await ports.policies.resolve({ workspace, request: frozen.policy });
  const data = { policy, request };
  const { id } = await ports.ledger.createRun({ kind: "goal", title: titleOfReplay(runId), workspace, data });
  const run: GoalRun = {
    runId: id,
    workspace,
    policy,
    request,
    watch: { ...options, review: reviewAgain(events) },
    openModel: async () => openRecordedModel(contents, events, altered),
    searchRepair: (key) => readRecordedSearch(contents, events, key),
    findInitial: (workbench) => findBase(contents, workbench, events),
    findFollowed: () => readRecordedFollowed(contents, events),
  };
  const result = await continueRun(ports, run);
  if (result.error?.code === "run.cancelled")
    throw new DrydockError("run.cancelled", result.error.message, result.error.hint);
  const found = compareRuns(events, await ports.readEvents(id));
  // Where the run began on another tree, all else follows from that.
  const other = result.error?.code === "delivery.conflict" ? [describeWorkspace(result.error)] : [];
  return {
    runId: id,
    verdict: result.verdict,
    treeHash: result.treeHash,
    steps: events.filter((event) => typeof event.data.key === "string").length,
    divergences: [...altered, ...other, ...found],
    notes: [],
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
  const nothing = { found: [], unconfirmed: 0, bestPartial: null, tried: 0, seconds: 0 };
  return { ...nothing, stopped: "cannot", reason, localisation: null };
}

function describeWorkspace(error: { message: string; [name: string]: unknown }): Divergence {
  return {
    step: "workspace",
    what: "the tree",
    cause: "workspace",
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
