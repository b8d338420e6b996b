import { DrydockError, type EventType, hasEnded } from "@drydock/protocol";
import type { RunsTable } from "../database/schema.ts";
import type { Owner } from "../owner.ts";

/*
 * A run that can be taken up again moves between these states until its terminal event:
 *
 *   running  --run.paused-->       paused        a pause was requested
 *   running  --run.interrupted-->  interrupted   its process is gone
 *   paused, interrupted  --run.resumed-->  running, with the process that resumed it as its owner
 *   running, paused, interrupted  --run.queued-->  queued   it waits for a worker, or its worker is gone
 *   queued     --run.claimed-->    running, under the claim of a worker
 *
 * The number of `run.claimed` is the claim's fence: it stands in the run's row, and whoever writes for a claim names it. A
 * worker that was cut off or stopped, and whose run another one has claimed since, finds that its writes fit no row.
 *
 * A capability is paused while it waits for approval: nothing of it was done yet, and the process that approves takes
 * it over. Once it runs it is lost with its process, like all other kinds of runs: its events do not show what it did.
 */
const STATE_AFTER: Partial<Record<string, string>> = {
  "run.paused": "paused",
  "run.interrupted": "interrupted",
  "run.resumed": "running",
  "run.queued": "queued",
  "run.claimed": "running",
};

export type StateEventType = Extract<
  EventType,
  "run.paused" | "run.interrupted" | "run.resumed" | "run.queued" | "run.claimed"
>;
type Owned = Pick<RunsTable, "owner_pid" | "owner_start" | "owner_host">;
/** Who may write to a run: a process, and the claim under which it does. */
export type Held = Owned & Pick<RunsTable, "fence">;

/** The status after the event, where the event is one that changes it and does not end the run. */
export function statusAfter(type: string): string | undefined {
  return STATE_AFTER[type];
}

/** The columns that name the process which answers for a run, from the data of `run.created` or `run.resumed`. */
export function foldOwner(data: Record<string, unknown>): Owned {
  const owner = typeof data.owner === "object" && data.owner !== null ? (data.owner as Record<string, unknown>) : {};
  return {
    owner_pid: typeof owner.pid === "number" ? owner.pid : 0,
    owner_start: typeof owner.startTime === "string" ? owner.startTime : "",
    owner_host: typeof owner.host === "string" ? owner.host : "",
  };
}

/** The columns that say who holds the run, after an event that changes its state. */
export function foldHeld(
  before: Held,
  { type, seq, data }: { type: string; seq: number; data: Record<string, unknown> },
): Held {
  if (type !== "run.resumed" && type !== "run.claimed") return { ...pickOwner(before), fence: 0 };
  return { ...foldOwner(data), fence: type === "run.claimed" ? seq : 0 };
}

export function pickOwner({ owner_pid, owner_start, owner_host }: Owned): Owned {
  return { owner_pid, owner_start, owner_host };
}

/** Goals can be resumed after their process died: everything that they did is in their events. */
export function survivesProcess(kind: string): boolean {
  return kind === "goal";
}

/** One process after the other may hold such a run, and only that one writes to it. */
export function canChangeOwner(kind: string): boolean {
  return kind === "goal" || kind === "capability";
}

export function isHeldBy(run: RunsTable, here: Owned): boolean {
  const isOwn =
    run.owner_pid === here.owner_pid && run.owner_start === here.owner_start && run.owner_host === here.owner_host;
  return run.status === "running" && isOwn;
}

/**
 * Only the process that holds a run adds to it: one that was taken for dead, and is not, must not go on writing. `claim` is
 * the fence by which this process claimed the run, where it did.
 */
export function requireHolder(run: RunsTable, owner: Owner, claim: number | undefined): void {
  if (hasEnded(run)) return;
  if (claim !== undefined && claim !== run.fence) throw claimLost(run.id);
  const isClaimed = run.fence > 0;
  if (!isClaimed && !canChangeOwner(run.kind) && run.status !== "queued") return;
  if (isClaimed ? claim === run.fence : isHeldBy(run, foldOwner({ owner }))) return;
  throw new DrydockError(
    "input.invalid",
    run.status === "running"
      ? `Run ${run.id} belongs to another process (${run.owner_pid}).`
      : `Run ${run.id} is ${run.status}.`,
    run.status === "running"
      ? "Wait for it, or cancel it."
      : run.kind === "capability"
        ? "It waits for an approval: `drydock approvals list`."
        : run.status === "queued"
          ? "A worker will carry it out: `drydock workers` lists them."
          : `Take it up again: \`drydock run --resume ${run.id}\`.`,
    { runId: run.id, status: run.status },
  );
}

/** Another worker has the run now, or it waits for one. */
export function claimLost(runId: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `This worker's claim of run ${runId} is over: another worker may carry it out.`,
    "Nothing is to be done: what this worker did of it since then is not recorded.",
    { runId, reason: "claim" },
  );
}

export function isClaimLost(error: unknown): boolean {
  return error instanceof DrydockError && error.data.reason === "claim";
}

/** The fence that a write names. What comes after a run's end is no claim's. */
export function writingFence(run: Pick<RunsTable, "status" | "fence">, claim: number | undefined): number {
  return hasEnded(run) ? run.fence : (claim ?? run.fence);
}
