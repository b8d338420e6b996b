import { DrydockError, type FeedEvent, type SendResult, type SocketQuery } from "@drydock/protocol";
import type { ClientOptions } from "./call-operation.ts";
import { createEventQueue } from "./event-queue.ts";
import { pause } from "./follow-stream.ts";
import { createOpenMessages, type SendOptions } from "./open-messages.ts";
import { addressOf, DEFAULT_URL, protocolsOf } from "./socket-address.ts";

/** A conversation over a WebSocket. A connection that breaks is made again from the last event. */
export interface OpenConversation extends AsyncDisposable {
  /** Sends a message, and waits for what becomes of it. After a broken connection that may be `duplicate`, with the run's id. */
  send(text: string, options?: SendOptions): Promise<SendResult>;
  /** What happens in the conversation, whoever sends, each once and in order. It ends with `close`. */
  events(): AsyncGenerator<FeedEvent>;
  cancel(runId: string): void;
  close(): void;
}

type Frame = { type: string; id?: string; eventId?: string; cursor?: string; result?: SendResult; error?: unknown };

const PAUSES_MS = [0, 200, 1000, 3000];
/** All other frames are events of the feed. */
const OWN_FRAMES = ["ready", "accepted", "result", "error", "pong"];

/*
 * connecting ──► ready ──► connecting …    it broke: what is not answered is sent again, with the same ids
 *      └───────────┴─────► closed          by `close`, by `signal`, or after several failures in a row
 */
export function openConversation(
  options: ClientOptions,
  query: SocketQuery,
  { signal }: { signal?: AbortSignal } = {},
): OpenConversation {
  const queue = createEventQueue<FeedEvent>();
  const over = new AbortController();
  let last = query.after;
  let socket: WebSocket | undefined;
  /** The server has said where the feed begins. Before that nothing is sent, so that nothing is sent twice. */
  let isReady = false;
  let failures = 0;
  let failure: Error | null = null;
  const messages = createOpenMessages((request) => {
    if (isReady && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  });

  const close = (error: Error | null = null) => {
    if (over.signal.aborted) return;
    failure = error;
    over.abort();
    socket?.close();
    messages.rejectAll(error ?? closed());
    queue.end(error);
  };
  const take = (frame: Frame) => {
    if (!OWN_FRAMES.includes(frame.type)) {
      last = frame.cursor;
      queue.push(frame as unknown as FeedEvent);
    } else if (frame.type === "ready") {
      [failures, isReady] = [0, true];
      last ??= frame.cursor;
      messages.sendAll();
    } else if (frame.id !== undefined && frame.type === "accepted") messages.accept(frame.id, frame.eventId ?? "");
    else if (frame.id !== undefined) messages.answer(frame.id, frame);
  };
  const connect = () => {
    isReady = false;
    socket = new WebSocket(addressOf(options, "/host/socket", { ...query, after: last }), protocolsOf(options));
    socket.onmessage = ({ data }) => take(JSON.parse(String(data)) as Frame);
    // What went wrong is said by `onclose`, which always follows.
    socket.onerror = () => {};
    socket.onclose = async ({ reason }) => {
      if (over.signal.aborted) return;
      if (++failures >= PAUSES_MS.length) return close(unreachable(options, reason));
      await pause(PAUSES_MS[failures] ?? 0, over.signal);
      if (!over.signal.aborted) connect();
    };
  };
  signal?.addEventListener("abort", () => close(), { once: true });
  if (signal?.aborted) close();
  else connect();

  return {
    send: (text, sendOptions = {}) =>
      over.signal.aborted ? Promise.reject(failure ?? closed()) : messages.add(text, sendOptions),
    events: () => queue.read(),
    cancel(runId) {
      if (isReady) socket?.send(JSON.stringify({ type: "cancel", runId }));
    },
    close: () => close(),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

function closed(): DrydockError {
  return new DrydockError("run.cancelled", "The conversation was closed.", "Open it again; the run itself goes on.");
}

function unreachable({ baseUrl = DEFAULT_URL }: ClientOptions, reason: string): DrydockError {
  const hint = "Start it with `drydock serve`, or correct the client's baseUrl and token.";
  return new DrydockError("sandbox.unavailable", `No conversation at ${baseUrl}${reason && `: ${reason}`}.`, hint);
}
