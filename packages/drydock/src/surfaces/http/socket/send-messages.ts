import { DrydockError, type FeedEvent, type HostStep, type SocketQuery, type SocketRequest } from "@drydock/protocol";
import type { ServerContext } from "../server-context.ts";

type Message = Extract<SocketRequest, { type: "message" }>;
type Cancel = Extract<SocketRequest, { type: "cancel" }>;

/** Messages of one connection, from their arrival to their result. */
export interface Messages {
  send(message: Message): Promise<void>;
  cancel(request: Cancel): Promise<void>;
  /** Takes note of what the connection was told of the feed. */
  passed(events: readonly FeedEvent[]): void;
  /** The connection is gone: nothing waits for it any more. */
  close(): void;
}

/** Messages of one connection that are not answered yet. */
const MAX_IN_FLIGHT = 32;

export function createMessages(
  { dock, activity }: ServerContext,
  { agent, after: _after, ...conversation }: SocketQuery,
  tell: (frame: object) => Promise<void>,
): Messages {
  const inFlight = new Map<string, AbortController>();
  /** Runs that this conversation has named: no other can be cancelled here. */
  const runs = new Set<string>();
  /** Results that wait until the feed has told how their event ended. */
  const waiting = new Map<string, () => void>();
  let isOpen = true;

  return {
    async send({ id, text, contents, actor, agent: named = agent }) {
      if (inFlight.has(id)) throw inUse(id);
      if (inFlight.size >= MAX_IN_FLIGHT) throw tooMany();
      const stop = new AbortController();
      inFlight.set(id, stop);
      const told = Promise.withResolvers<void>();
      let received: string | null = null;
      const onStep = ({ type, eventId, runId }: HostStep) => {
        if (runId !== null) runs.add(runId);
        if (type !== "event.received") return;
        received = eventId;
        if (isOpen) waiting.set(eventId, told.resolve);
        void tell({ type: "accepted", id, eventId });
      };
      const event = { type: "message.received", source_event_id: id, conversation, actor, input: { text, contents } };
      // The run goes on where the connection breaks.
      const signal = AbortSignal.any([stop.signal, activity.stopping]);
      try {
        const result = await activity.track(dock.host.send(event, { agent: named, signal, onStep }));
        const isInFeed = result.kind === "answered" || result.kind === "absorbed";
        if (isInFeed && waiting.has(result.eventId)) await told.promise;
        void tell({ type: "result", id, result });
      } finally {
        inFlight.delete(id);
        if (received !== null) waiting.delete(received);
      }
    },
    async cancel({ id, runId }) {
      const stop = id === undefined ? undefined : inFlight.get(id);
      if (stop) return stop.abort();
      if (runId === undefined || !runs.has(runId)) throw nothingToCancel();
      await dock.runs.cancel(runId);
    },
    passed(events) {
      for (const { type, eventId, runId } of events) {
        if (runId !== null) runs.add(runId);
        if (type === "run.ended" || type === "event.absorbed") waiting.get(eventId)?.();
      }
    },
    close() {
      isOpen = false;
      for (const wake of waiting.values()) wake();
    },
  };
}

function inUse(id: string): DrydockError {
  const message = `The message ${id} is not answered yet.`;
  return new DrydockError("input.invalid", message, "Give each message an id of its own.", { id });
}

function tooMany(): DrydockError {
  const message = `${MAX_IN_FLIGHT} messages of this connection are not answered yet.`;
  return new DrydockError("limit.concurrency", message, "Wait for an answer, and send it again.");
}

function nothingToCancel(): DrydockError {
  const hint = "Name a message of this connection by `id`, or a run of this conversation by `runId`.";
  return new DrydockError("run.not_found", "There is no such message or run here.", hint);
}
