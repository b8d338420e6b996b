import type { Ledger } from "../../../ledger/index.ts";
import { readAllEvents } from "../../runs/read-all-events.ts";
import { readOrigin, type SessionRecord } from "./list-actions.ts";

const PAGE = 1000;
/** A fork of a fork, and so on. A record that was altered may go in circles. */
const MAX_ORIGINS = 100;

/** All runs of a session, and of the sessions that it descends from. */
export async function readSessionRecords(ledger: Ledger, sessionId: string): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  const seen = new Set<string>();
  for (let id: string | null = sessionId; id !== null && !seen.has(id) && seen.size < MAX_ORIGINS; ) {
    seen.add(id);
    const own = await readOwn(ledger, id);
    records.push(...own);
    const [first] = own;
    id = first ? readOrigin(first) : null;
  }
  return records;
}

/** The oldest first. */
async function readOwn(ledger: Ledger, session: string): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  let cursor: string | null = null;
  do {
    const page = await ledger.listRuns({ session, kind: "session", limit: PAGE, cursor });
    for (const run of page.runs) records.push({ run, events: await readAllEvents(ledger, run.id) });
    cursor = page.nextCursor;
  } while (cursor !== null);
  return records.reverse();
}
