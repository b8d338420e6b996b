import { type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { Caller } from "./call-operation.ts";
import { followStream } from "./follow-stream.ts";

export interface FollowOptions {
  /** Events after this number only. */
  afterSeq?: number;
  signal?: AbortSignal;
}

/** A run's events, each once and in order, until its terminal one. */
export function followRun(caller: Caller, id: string, { afterSeq, signal }: FollowOptions = {}) {
  return followStream<RunEvent>({
    signal,
    after: afterSeq === undefined || afterSeq < 0 ? undefined : String(afterSeq),
    async open(last) {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const response = await caller.fetch(OPERATIONS.listEvents, { params: { id } }, { signal, headers });
      return response.status === 204 ? null : response;
    },
    read({ data }) {
      const event = JSON.parse(data) as RunEvent;
      return { event, last: String(event.seq), isEnd: TERMINAL_EVENTS.includes(event.type) };
    },
  });
}
