import type { RunEvent } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";

const PAGE = 1000;

/** All events of a run after `afterSeq`, however many. */
export async function readAllEvents(ledger: Ledger, runId: string, afterSeq = -1): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await ledger.events(runId, { afterSeq: events.at(-1)?.seq ?? afterSeq, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}
