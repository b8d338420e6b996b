import { DrydockError, type EventType, hasEnded } from "@drydock/protocol";
import type { RunsTable } from "../database/schema.ts";

/*
 * A run that can be taken up again moves between these states until its terminal event:
 *
 *   running  --run.paused-->       paused        a pause was requested
 *   running  --run.interrupted-->  interrupted   its process is gone
 *   paused, interrupted  --run.resumed-->  running, with the process that resumed it as its owner
 *
 * A capability is paused while it waits for approval: nothing of it was done yet, and the process that approves takes
 * it over. Once it runs it is lost with its process, like all other kinds of runs: its events do not show what it did.
 */
const STATE_AFTER: Partial<Record<string, string>> = {
  "run.paused": "paused",
  "run.interrupted": "interrupted",
  "run.resumed": "running",
};

export type StateEventType = Extract<EventType, "run.paused" | "run.interrupted" | "run.resumed">;
type Owned = Pick<RunsTable, "owner_pid" | "owner_start" | "owner_host">;

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

/** Only the process that holds a run adds to it: one that was taken for dead, and is not, must not go on writing. */
export function requireOwner(run: RunsTable, here: Owned): void {
  if (isHeldBy(run, here)) return;
  if (hasEnded(run)) return;
  throw new DrydockError(
    "input.invalid",
    run.status === "running"
      ? `Run ${run.id} belongs to another process (${run.owner_pid}).`
      : `Run ${run.id} is ${run.status}.`,
    run.status === "running"
      ? "Wait for it, or cancel it."
      : run.kind === "capability"
        ? "It waits for an approval: `drydock approvals list`."
        : `Take it up again: \`drydock run --resume ${run.id}\`.`,
    { runId: run.id, status: run.status },
  );
}
