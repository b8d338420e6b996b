import {
  DrydockError,
  ErrorInfo,
  type FeedEvent,
  type SendResult,
  SOCKET_PROTOCOL,
  SOCKET_TOKEN_PREFIX,
  type SocketQuery,
  type SocketRequest,
} from "@drydock/protocol";
import type { ClientOptions } from "./call-operation.ts";
import { pause } from "./follow-stream.ts";

type Message = Extract<SocketRequest, { type: "message" }>;

export interface SendOptions extends Partial<Pick<Message, "contents" | "actor">> {
  /** A message that is sent again with the same id is not handled again. Default: a new one. */
  id?: string;
  /** Cancels the run of the message. */
  signal?: AbortSignal;
}

/** A conversation over a WebSocket. A connection that breaks is made again from the last event. */
export interface OpenConversation extends AsyncDisposable {
  /** Sends a message, and waits for what becomes of it. After a broken connection that may be `duplicate`, with the run's id. */
  send(text: string, options?: SendOptions): Promise<SendResult>;
  /** What happens in the conversation, whoever sends, each once and in order. It ends with `close`. */
  events(): AsyncGenerator<FeedEvent>;
  cancel(runId: string): void;
  close(): void;
}

interface Waiting {
  request: Message;
  resolve(result: SendResult): void;
  reject(error: Error): void;
}

type Frame = { type: string; id?: string | null; cursor?: string; result?: SendResult; error?: unknown };

const PAUSES_MS = [0, 200, 1000, 3000];
const OPERATION_FRAMES = ["ready", "accepted", "result", "error", "pong"];

/*
 * connecting ──► open ──► connecting …    it broke: what is not answered is sent again, with the same ids
 *      └───────────┴────► closed          by `close`, by `signal`, or after several failures in a row
 */
export function openConversation(
  { baseUrl = "http://127.0.0.1:8088", token }: ClientOptions,
  { after, ...query }: SocketQuery,
  { signal }: { signal?: AbortSignal } = {},
): OpenConversation {
  const waiting = new Map<string, Waiting>();
  const queue: FeedEvent[] = [];
  const over = new AbortController();
  let wake = Promise.withResolvers<void>();
  let last = after;
  let socket: WebSocket | undefined;
  let failure: Error | null = null;
  let failures = 0;

  const tell = (request: SocketRequest) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  };
  const close = (error: Error | null = null) => {
    if (over.signal.aborted) return;
    failure = error;
    over.abort();
    socket?.close();
    for (const { reject } of waiting.values()) reject(error ?? closed());
    waiting.clear();
    wake.resolve();
  };
  const take = (frame: Frame) => {
    if (!OPERATION_FRAMES.includes(frame.type)) {
      const event = frame as unknown as FeedEvent;
      last = event.cursor;
      queue.push(event);
      return wake.resolve();
    }
    if (frame.type === "ready") {
      failures = 0;
      last ??= frame.cursor;
      for (const { request } of waiting.values()) tell(request);
      return;
    }
    const found = waiting.get(frame.id ?? "");
    if (!found || frame.type === "accepted") return;
    waiting.delete(frame.id ?? "");
    if (frame.result) found.resolve(frame.result);
    else found.reject(toError(frame.error));
  };
  const connect = () => {
    const search = new URLSearchParams({ ...query, ...(last !== undefined && { after: last }) });
    const address = `${baseUrl.replace(/\/+$/, "").replace(/^http/, "ws")}/host/socket?${search}`;
    const offered = [SOCKET_PROTOCOL, ...(token === undefined ? [] : [`${SOCKET_TOKEN_PREFIX}${token}`])];
    socket = new WebSocket(address, offered);
    socket.onmessage = ({ data }) => take(JSON.parse(String(data)) as Frame);
    socket.onclose = async ({ reason }) => {
      if (over.signal.aborted) return;
      if (++failures >= PAUSES_MS.length) return close(unreachable(baseUrl, reason));
      await pause(PAUSES_MS[failures] ?? 0, over.signal);
      if (!over.signal.aborted) connect();
    };
    // What went wrong is said by `onclose`, which always follows.
    socket.onerror = () => {};
  };
  signal?.addEventListener("abort", () => close(), { once: true });
  if (signal?.aborted) close();
  else connect();

  return {
    send(text, { id = crypto.randomUUID(), contents = [], actor, signal: stop } = {}) {
      if (over.signal.aborted) return Promise.reject(failure ?? closed());
      const { promise, resolve, reject } = Promise.withResolvers<SendResult>();
      const request: Message = { type: "message", id, text, contents, ...(actor && { actor }) };
      waiting.set(id, { request, resolve, reject });
      tell(request);
      stop?.addEventListener("abort", () => tell({ type: "cancel", id }), { once: true });
      return promise;
    },
    async *events() {
      for (;;) {
        const next = queue.shift();
        if (next) yield next;
        else if (over.signal.aborted) break;
        else {
          await wake.promise;
          wake = Promise.withResolvers();
        }
      }
      if (failure) throw failure;
    },
    cancel: (runId) => tell({ type: "cancel", runId }),
    close: () => close(),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

function closed(): DrydockError {
  return new DrydockError("run.cancelled", "The conversation was closed.", "Open it again; the run itself goes on.");
}

function unreachable(baseUrl: string, reason: string): DrydockError {
  const hint = "Start it with `drydock serve`, or correct the client's baseUrl and token.";
  return new DrydockError("sandbox.unavailable", `No conversation at ${baseUrl}${reason && `: ${reason}`}.`, hint);
}

function toError(value: unknown): DrydockError {
  const parsed = ErrorInfo.safeParse(value);
  if (!parsed.success) return new DrydockError("internal", "The server sent no result.", "Is it of this version?");
  const { code, message, hint, ...data } = parsed.data;
  return new DrydockError(code, message, hint, data);
}
