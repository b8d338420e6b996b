import type { RunEvent } from "@drydock/protocol";
import { canonicalJson } from "./canonical-json.ts";
import { hashEvent, runGenesis } from "./hash-entries.ts";

/** The events of one run that are not what their hashes say, or do not follow the one before. */
export function findAltered(events: readonly RunEvent[]): RunEvent[] {
  let before = events[0] ? runGenesis(events[0].runId) : "";
  return events.filter((event) => {
    const { runId, seq, type, at, data, prevHash, hash } = event;
    const row = { run_id: runId, seq, type, at, data: canonicalJson(data), prev_hash: prevHash };
    const isAltered = hashEvent(row) !== hash || prevHash !== before;
    before = hash;
    return isAltered;
  });
}
