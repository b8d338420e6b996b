import { DrydockError } from "@drydock/protocol";
import { createLineQueue } from "../../base/waiting/index.ts";

/** What a process that lasts tells of itself. */
export interface StreamListener {
  /** Resolves when the bytes are taken: the process waits for that. */
  onData(bytes: Buffer): Promise<void>;
  onEnd(end: { status: number | null; notes: string }): void;
}

/** The conversation with the program inside a box, one JSON object a line. What comes from there is not trusted. */
export interface BoxLink {
  readonly input: AsyncIterable<string>;
  /** Bytes of the program. */
  receive(bytes: Buffer): void;
  /** Resolves when the program has answered. An operation that is refused is a `BoxRefusal`. */
  call(op: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
  /** Hears a process that lasts. Returns its number. */
  listen(listener: StreamListener): number;
  readonly ready: Promise<void>;
  /** The box is gone. */
  end(error: DrydockError): void;
}

/** What the program inside refused, in words for a model. */
export class BoxRefusal extends Error {
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

const MAX_LINE_CHARS = 16 * 1024 * 1024;
const MAX_WAITING_CHARS = 32 * 1024 * 1024;
const MAX_IN_FLIGHT = 64;
const MAX_BAD_LINES = 20;

type Waiting = PromiseWithResolvers<Record<string, unknown>>;

/** `onFault`: the program inside does not keep to the protocol. */
export function createBoxLink(onFault: (message: string) => void): BoxLink {
  const queue = createLineQueue(MAX_WAITING_CHARS);
  const waiting = new Map<number, Waiting>();
  const streams = new Map<number, StreamListener>();
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});
  let count = 0;
  let badLines = 0;
  let over: DrydockError | undefined;
  let parts: Buffer[] = [];
  let chars = 0;

  const send = (message: object) => {
    if (!queue.push(`${JSON.stringify(message)}\n`)) onFault("does not read its input");
  };

  function take(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = Object(JSON.parse(line)) as Record<string, unknown>;
    } catch {
      if (++badLines > MAX_BAD_LINES) onFault("writes what is no message");
      return;
    }
    const { id, stream, ready: isReady } = message;
    if (isReady === true) ready.resolve();
    else if (typeof stream === "number") takeStream(stream, message);
    else if (typeof id === "number") {
      const { result, error, kind } = message;
      const one = waiting.get(id);
      waiting.delete(id);
      if (typeof error === "string") one?.reject(new BoxRefusal(String(kind), error.slice(0, 4000)));
      else one?.resolve(Object(result) as Record<string, unknown>);
    }
  }

  function takeStream(id: number, { data, ended, notes }: Record<string, unknown>): void {
    const listener = streams.get(id);
    if (typeof data === "string") {
      const bytes = Buffer.from(data, "base64");
      const taken = listener?.onData(bytes) ?? Promise.resolve();
      taken.catch(() => {}).finally(() => send({ op: "taken", params: { id, size: bytes.length } }));
      return;
    }
    streams.delete(id);
    listener?.onEnd({ status: typeof ended === "number" ? ended : null, notes: String(notes ?? "").slice(-4000) });
  }

  return {
    input: queue.lines,
    ready: ready.promise,
    receive(bytes) {
      let rest = bytes;
      for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
        const line = Buffer.concat([...parts, rest.subarray(0, at)]).toString();
        parts = [];
        chars = 0;
        rest = rest.subarray(at + 1);
        take(line);
      }
      parts.push(rest);
      chars += rest.length;
      if (chars > MAX_LINE_CHARS) {
        parts = [];
        chars = 0;
        onFault("sent a message that is too long");
      }
    },
    async call(op, params, signal) {
      if (over) throw over;
      signal?.throwIfAborted();
      if (waiting.size >= MAX_IN_FLIGHT) {
        const hint = "Wait for an answer, and call again.";
        throw new DrydockError("limit.concurrency", `${MAX_IN_FLIGHT} calls of this box are not answered yet.`, hint);
      }
      const id = count++;
      const one: Waiting = Promise.withResolvers();
      waiting.set(id, one);
      const leave = () => one.reject(signal?.reason);
      signal?.addEventListener("abort", leave, { once: true });
      send({ id, op, params });
      return one.promise.finally(() => {
        waiting.delete(id);
        signal?.removeEventListener("abort", leave);
      });
    },
    listen(listener) {
      const id = count++;
      streams.set(id, listener);
      return id;
    },
    end(error) {
      over = error;
      queue.end();
      ready.reject(error);
      for (const one of waiting.values()) one.reject(error);
      for (const listener of streams.values()) listener.onEnd({ status: null, notes: error.message });
      waiting.clear();
      streams.clear();
    },
  };
}
