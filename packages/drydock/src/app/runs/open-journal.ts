import type { EventType, RunEvent } from "@drydock/protocol";
import type { Documents, Journal } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";

/** The run's events, as the engine's memory. */
export function openJournal(
  ledger: Ledger,
  runId: string,
  past: readonly RunEvent[],
  onEvent: (event: RunEvent) => void,
): Journal {
  const events = [...past];
  const byKey = new Map<string, RunEvent>();
  const index = (event: RunEvent) => {
    if (typeof event.data.key === "string") byKey.set(`${event.type} ${event.data.key}`, event);
  };
  for (const event of events) index(event);
  return {
    runId,
    find: (type: EventType, key: string) => byKey.get(`${type} ${key}`),
    events: () => events,
    async append(entries) {
      const written = await ledger.append(
        runId,
        entries.map(({ type, key, data }) => ({ type, data: { ...data, key } })),
      );
      for (const event of written) {
        events.push(event);
        index(event);
        onEvent(event);
      }
    },
  };
}

export function openDocuments(ledger: Ledger, runId: string): Documents {
  return {
    file: async (name, text) =>
      (await ledger.artifacts.put(Buffer.from(text), { runId, name, mime: "text/markdown" })).id,
    keep: async (text) => (await ledger.blobs.put(Buffer.from(text), { runId })).sha256,
    read: async (sha256) => (await ledger.blobs.readWhole(sha256)).toString(),
  };
}
