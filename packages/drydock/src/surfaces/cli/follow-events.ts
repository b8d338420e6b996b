import { setTimeout as sleep } from "node:timers/promises";
import { type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import type { Runs } from "../../app/index.ts";

const LOOK_AGAIN_MS = 200;

/** A run's events as they are recorded, by whichever process, until its terminal one. */
export async function* followEvents(
  runs: Pick<Runs, "events">,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  let afterSeq: number | undefined;
  while (!signal.aborted) {
    const events = await runs.events(runId, { afterSeq });
    if (events.length > 0) yield events;
    if (events.some(({ type }) => TERMINAL_EVENTS.includes(type))) return;
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}
