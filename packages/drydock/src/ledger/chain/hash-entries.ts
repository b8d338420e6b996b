import { hash } from "node:crypto";
import type { EventsTable, HeadsTable } from "../database/schema.ts";
import { canonicalJson } from "./canonical-json.ts";

/*
 * What the chain proves, and against whom.
 *
 * Each event's hash covers its predecessor's; each entry of `heads` covers its predecessor and the head of the run that
 * began, ended or was added to. The last entry is named once more in `meta`. So a change, removal, insertion or move of
 * single rows (an event, a run, an entry, a checkpoint, a column of `runs`), by accident or on purpose, is detected,
 * and the row is named.
 *
 * There is no secret in it. An attacker who can write the database and computes every later hash again leaves a ledger
 * that is consistent in itself, and can cut off the events of a run still under way by adjusting its row in `runs`.
 * Both only show against a head that was kept elsewhere: `audit export` prints it, and `verify({ expect })` compares.
 * Nor does the chain prove that what was recorded is true, only that it is what was recorded.
 */

const GENESIS = "drydock ledger v1";

export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** What the first event of a run refers back to; it differs from run to run, so that whole chains can't be exchanged. */
export function runGenesis(runId: string): string {
  return sha256(canonicalJson([GENESIS, "run", runId]));
}

/** What the first entry of `heads` refers back to. */
export const HEADS_GENESIS = sha256(canonicalJson([GENESIS, "heads"]));

/** SHA-256 of the canonical JSON `[prevHash, runId, seq, type, at, data]`. `data` is canonical text already. */
export function hashEvent(event: Omit<EventsTable, "hash">): string {
  const start = canonicalJson([event.prev_hash, event.run_id, event.seq, event.type, event.at]);
  return sha256(`${start.slice(0, -1)},${event.data}]`);
}

/** SHA-256 of the canonical JSON `[prevHash, position, kind, runId, events, headHash, at]`. */
export function hashHead(head: Omit<HeadsTable, "hash">): string {
  return sha256(
    canonicalJson([head.prev_hash, head.position, head.kind, head.run_id, head.events, head.head_hash, head.at]),
  );
}
