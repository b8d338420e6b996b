import type { Ledger } from "../../../ledger/index.ts";
import { findEnding } from "../recorded/find-ending.ts";
import { readAllEvents } from "../recorded/read-all-events.ts";
import type { RecordedRun } from "../recorded/recorded-run.ts";

export interface StepAction {
  kind: "step";
  /** Its number in the recorded session. */
  number: number;
  /** Whether the state after it became the session's. A step that failed in Python is undone, and so is one that only looks. */
  isKept: boolean;
  record: RecordedRun;
}

/** What happened in a session. */
export type SessionAction =
  | StepAction
  /** A return to the state after the step `to`. */
  | { kind: "rollback"; to: number; record: RecordedRun }
  /** A fork at the state after the step `to`. The actions before it happened in the origin, those after it in the fork. */
  | { kind: "fork"; to: number; record: RecordedRun }
  /** A step that was cancelled while it ran: it had a number, and left nothing. */
  | { kind: "gap"; number: number; record: RecordedRun };

const PAGE = 1000;

/**
 * What led to the state of a session after the run `until`, in the order of the runs; without `until`, to the state now. A fork
 * begins with what its origin did before the fork.
 */
export async function readActions(ledger: Ledger, sessionId: string, until?: string): Promise<SessionAction[]> {
  const records = await readRecords(ledger, sessionId, (id) => until === undefined || id <= until);
  return records.flatMap((record, at) => toAction(record, () => records.slice(at + 1)));
}

/** The oldest first. */
async function readRecords(ledger: Ledger, session: string, isWanted: (id: string) => boolean): Promise<RecordedRun[]> {
  const records: RecordedRun[] = [];
  let cursor: string | null = null;
  do {
    const page = await ledger.listRuns({ session, kind: "session", limit: PAGE, cursor });
    for (const run of page.runs) {
      if (isWanted(run.id)) records.push({ run, events: await readAllEvents(ledger, run.id) });
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  const [first] = records.reverse();
  const origin = first && readOrigin(first);
  if (!origin) return records;
  // Each origin ends before its fork began, so that a record that goes in circles comes to an end.
  return [...(await readRecords(ledger, origin.sessionId, (id) => id < first.run.id)), ...records];
}

function toAction(record: RecordedRun, readLater: () => readonly RecordedRun[]): SessionAction[] {
  const { run, events } = record;
  const rolledBack = events.find(({ type }) => type === "step.rolled_back");
  if (rolledBack) return [{ kind: "rollback", to: Number(rolledBack.data.to), record }];
  const number = readNumber(record);
  if (number === null) {
    const origin = readOrigin(record);
    return origin && run.status === "succeeded" ? [{ kind: "fork", to: origin.step, record }] : [];
  }
  if (run.status === "succeeded" || run.status === "failed") {
    // Records of earlier versions don't say whether the state was kept.
    const { stateKept = run.status === "succeeded" } = findEnding(events)?.data ?? {};
    return [{ kind: "step", number, isKept: stateKept === true && requestOf(record).look !== true, record }];
  }
  // A step that was cancelled before it began has left its number to the next step.
  const next = readLater().find((later) => readNumber(later) !== null);
  return next && readNumber(next) !== number ? [{ kind: "gap", number, record }] : [];
}

/** The number of a step; null for a rollback, a fork, or a step that was refused. */
function readNumber(record: RecordedRun): number | null {
  const { step } = requestOf(record);
  return typeof step === "number" ? step : null;
}

/** Of the first record of a fork: the session and the step that it is a copy of. Its steps name them too. */
function readOrigin(record: RecordedRun): { sessionId: string; step: number } | null {
  const { step, forkedFrom } = requestOf(record);
  const { sessionId, step: at } = Object(forkedFrom);
  return step === undefined && typeof sessionId === "string" && typeof at === "number" ? { sessionId, step: at } : null;
}

function requestOf({ events }: RecordedRun) {
  return Object(events[0]?.data.request);
}
