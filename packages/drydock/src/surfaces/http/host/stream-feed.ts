import type { FeedEvent } from "@drydock/protocol";
import { orLater } from "../route/or-later.ts";
import { STREAM_HEADERS } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");

/** The feed of a conversation, until the reader goes. Nothing is buffered for it: it gets what comes next when it asks. */
export function streamFeed(
  { dock, limits, activity, metrics }: ServerContext,
  id: string,
  after: string | undefined,
  gone: AbortSignal,
): Response {
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal, activity.draining]);
  const pages = dock.host.conversations.follow(id, { after, signal });
  const over = metrics.streaming();
  let next: ReturnType<typeof pages.next> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      // Readers learn at once that the stream is open.
      start: (controller) => controller.enqueue(HEARTBEAT),
      async pull(controller) {
        next ??= pages.next();
        const page = await orLater(next, limits.heartbeatMs);
        if (page === "later") return controller.enqueue(HEARTBEAT);
        next = undefined;
        if (!page.done) return controller.enqueue(encoder.encode(page.value.map(writeEvent).join("")));
        over();
        controller.close();
      },
      cancel() {
        over();
        ended.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: STREAM_HEADERS });
}

function writeEvent(event: FeedEvent): string {
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
