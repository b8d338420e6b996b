import { hasEnded, type RunEvent } from "@drydock/protocol";
import { HttpProblem } from "../guard/http-problem.ts";
import { orLater } from "../route/or-later.ts";
import { STREAM_HEADERS } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");
/** An event is put into bytes once, however many follow it. */
const written = new WeakMap<RunEvent, Uint8Array>();

/** The number that a reader who comes back has read up to. */
export function readLastEventId(headers: Headers): number | undefined {
  const text = headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new HttpProblem(400, {
    message: `Last-Event-ID: ${text} is not the number of an event.`,
    hint: "Send the id of the last event that you have read.",
  });
}

/**
 * A run's events from a number on, then those to come. Nothing is buffered for a reader: it gets the next events when
 * it has taken the last ones. After the end there is nothing left to come back for, which 204 says.
 */
export async function streamEvents(
  server: ServerContext,
  runId: string,
  afterSeq: number,
  gone: AbortSignal,
): Promise<Response> {
  const run = await server.dock.runs.get(runId);
  const isOver = hasEnded(run);
  if (isOver && afterSeq >= run.events - 1) return new Response(null, { status: 204 });
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal, server.activity.draining]);
  // `last` may be another run by now.
  const pages = server.dock.runs.follow(run.id, { afterSeq, signal });
  const over = server.metrics.streaming();
  let next: ReturnType<typeof pages.next> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= pages.next();
        const page = await orLater(next, server.limits.heartbeatMs);
        if (page === "later") return controller.enqueue(HEARTBEAT);
        next = undefined;
        if (page.done) {
          over();
          controller.close();
        } else controller.enqueue(writePage(page.value));
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

function writePage(events: readonly RunEvent[]): Uint8Array {
  const parts = events.map(writeEvent);
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

function writeEvent(event: RunEvent): Uint8Array {
  const known = written.get(event);
  if (known) return known;
  const bytes = encoder.encode(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
  written.set(event, bytes);
  return bytes;
}
