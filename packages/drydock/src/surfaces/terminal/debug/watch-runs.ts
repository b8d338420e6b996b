import type { RunEvent } from "@drydock/protocol";
import type { Dock } from "../../../app/index.ts";
import type { Terminal } from "../terminal.ts";
import { createDebug, type Debug } from "./create-debug.ts";

export interface RunWatch {
  /** For the dock to call with what it records. */
  onEvents(events: readonly RunEvent[]): void;
  /** Begins to show, with where the policy comes from. */
  start(dock: Dock): Promise<void>;
}

/** `--debug` for what answers others: every run of the process, as it is recorded. */
export function watchRuns({ err, errColors }: Pick<Terminal, "err" | "errColors">): RunWatch {
  let debug: Debug | undefined;
  let runs: Dock["runs"] | undefined;
  const begun = new Set<string>();
  let turn = Promise.resolve();

  async function show(events: readonly RunEvent[]): Promise<void> {
    const [first] = events;
    if (!first || !debug || !runs) return;
    if (!begun.has(first.runId)) {
      const earlier = await runs.events(first.runId);
      for (const event of earlier) if (event.seq < first.seq) debug.take(event);
    }
    begun.add(first.runId);
    for (const event of events) debug.take(event);
    if (events.some(({ type }) => /^run\.(succeeded|failed|cancelled)$/.test(type))) begun.delete(first.runId);
    await debug.settled();
  }

  return {
    onEvents(events) {
      // Nothing that is shown may keep a run from going on, or fail it.
      turn = turn.then(() => show(events)).catch(() => {});
    },
    async start(dock) {
      debug = createDebug({ dock, write: err, colors: errColors });
      runs = dock.runs;
      await debug.showPolicy({});
    },
  };
}
