import type { Run, RunEvent } from "@drydock/protocol";

/** A run of a session as the ledger has it: a step, a rollback, or a fork. */
export interface SessionRecord {
  run: Run;
  events: readonly RunEvent[];
}

export type SessionAction =
  /** A step to be executed. `number` is its number in the recorded session. */
  | { kind: "step"; number: number; record: SessionRecord }
  | { kind: "rollback"; to: number; record: SessionRecord }
  /** A fork of the session that the actions before led to; the actions after it happened in the copy. */
  | { kind: "fork"; record: SessionRecord }
  /** A step that was cancelled while it ran: it had a number, and left nothing. */
  | { kind: "gap"; number: number; record: SessionRecord };

/**
 * What to do, in a fresh session, to come to the state after the run `until`: the session's own runs up to there, and before
 * them those of the session that it was forked from, up to the fork. Runs are in the order of their ids.
 *
 * @param records All runs of the session and of those that it descends from, in any order.
 */
export function listActions(records: readonly SessionRecord[], sessionId: string, until: string): SessionAction[] {
  return collect(records, sessionId, (id) => id <= until);
}

function collect(
  records: readonly SessionRecord[],
  sessionId: string,
  isWanted: (id: string) => boolean,
): SessionAction[] {
  const own = records
    .filter(({ run }) => run.sessionId === sessionId && isWanted(run.id))
    .sort((left, right) => (left.run.id < right.run.id ? -1 : 1));
  const [first] = own;
  const origin = first && readOrigin(first);
  // Each origin ends before the fork began, so that a record that goes in circles comes to an end.
  const before = first && origin ? collect(records, origin, (id) => id < first.run.id) : [];
  return [...before, ...own.flatMap((record, index) => toAction(record, own[index + 1]))];
}

/** The session that a session's first run says it was forked from. */
export function readOrigin({ events }: SessionRecord): string | null {
  const { forkedFrom } = Object(readRequest(events));
  const origin = Object(forkedFrom).sessionId;
  return typeof origin === "string" ? origin : null;
}

/** The number of the step that a record is of; null for a rollback, a fork, or a step that was refused. */
function readStepNumber({ events }: Pick<SessionRecord, "events">): number | null {
  const { step } = Object(readRequest(events));
  return typeof step === "number" ? step : null;
}

function toAction(record: SessionRecord, next: SessionRecord | undefined): SessionAction[] {
  const { run, events } = record;
  const { rollback } = events[0]?.data ?? {};
  if (typeof rollback === "number") {
    return run.status === "succeeded" ? [{ kind: "rollback", to: rollback, record }] : [];
  }
  const number = readStepNumber(record);
  if (number === null)
    return readOrigin(record) !== null && run.status === "succeeded" ? [{ kind: "fork", record }] : [];
  if (run.status === "succeeded" || run.status === "failed") return [{ kind: "step", number, record }];
  // One that was cancelled before it began has left its number to the next.
  return next && (readStepNumber(next) ?? number) > number ? [{ kind: "gap", number, record }] : [];
}

function readRequest(events: readonly RunEvent[]): unknown {
  return events[0]?.data.request;
}
