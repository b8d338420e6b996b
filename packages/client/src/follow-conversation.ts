import type { FeedEvent } from "@drydock/protocol";
import { OPERATIONS } from "@drydock/protocol/http";
import type { Caller } from "./call-operation.ts";
import { followStream } from "./follow-stream.ts";

export interface FollowConversationOptions {
  /** Only what comes after this cursor. Default: what comes from now on. */
  after?: string;
  signal?: AbortSignal;
}

/** What happens in a conversation, until `signal` or the reader ends it. */
export function followConversation(caller: Caller, id: string, { after, signal }: FollowConversationOptions = {}) {
  return followStream<FeedEvent>({
    ...{ after, signal },
    open(last) {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      return caller.fetch(OPERATIONS.followConversation, { params: { id } }, { signal, headers });
    },
    read({ data }) {
      const event = JSON.parse(data) as FeedEvent;
      return { event, last: event.cursor };
    },
  });
}
