import { type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { Caller } from "./call-operation.ts";
import { readStream } from "./read-stream.ts";

export interface FollowOptions {
  /** Events after this number only. */
  afterSeq?: number;
  signal?: AbortSignal;
}

const PAUSES_MS = [0, 200, 1000, 3000];

/**
 * A run's events, each once and in order, until its terminal one. A connection that breaks is made again from the last
 * event; where that fails several times in a row, the last error is thrown.
 */
export async function* followRun(caller: Caller, id: string, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
  const { signal } = options;
  let last = options.afterSeq;
  let failures = 0;
  while (!signal?.aborted) {
    const before = last;
    try {
      const headers = {
        accept: "text/event-stream",
        ...(last === undefined || last < 0 ? {} : { "last-event-id": String(last) }),
      };
      const response = await caller.fetch(OPERATIONS.listEvents, { params: { id } }, { signal, headers });
      if (response.status === 204) return;
      for await (const { data } of readStream(response)) {
        const event = JSON.parse(data) as RunEvent;
        last = event.seq;
        yield event;
        if (TERMINAL_EVENTS.includes(event.type)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const isRefusal = typeof Object(Object(error).data).status === "number";
      if (isRefusal || failures + 1 >= PAUSES_MS.length) throw error;
    }
    failures = last === before ? Math.min(failures + 1, PAUSES_MS.length - 1) : 0;
    await pause(PAUSES_MS[failures] ?? 0, signal);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      done();
    }
    signal?.addEventListener("abort", finish, { once: true });
  });
}
