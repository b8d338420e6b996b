import { randomUUID } from "node:crypto";
import type { EventId, EventStore, JSONRPCMessage, StreamId } from "@modelcontextprotocol/server";

const MAX_EVENTS = 1000;
const MAX_CHARS = 8 * 1024 * 1024;

interface Kept {
  id: EventId;
  streamId: StreamId;
  message: JSONRPCMessage;
  chars: number;
}

/**
 * The latest messages of one client, so that a broken connection can be taken up where it broke. It is bounded: who
 * comes back too late gets what there still is.
 */
export function createEventStore(): EventStore {
  const events: Kept[] = [];
  let chars = 0;
  return {
    async storeEvent(streamId, message) {
      const id = randomUUID();
      const length = JSON.stringify(message).length;
      events.push({ id, streamId, message, chars: length });
      chars += length;
      while (events.length > MAX_EVENTS || (chars > MAX_CHARS && events.length > 1))
        chars -= events.shift()?.chars ?? 0;
      return id;
    },
    async getStreamIdForEventId(id) {
      return events.find((event) => event.id === id)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex(({ id }) => id === lastEventId);
      const streamId = events[at]?.streamId;
      if (streamId === undefined) return "";
      for (const event of events.slice(at + 1)) {
        // A priming event has nothing in it and was for the connection that broke.
        if (event.streamId === streamId && Object.keys(event.message).length > 0) await send(event.id, event.message);
      }
      return streamId;
    },
  };
}
