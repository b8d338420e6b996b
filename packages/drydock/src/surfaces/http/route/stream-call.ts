import { toDrydockError, warnOfFault } from "../guard/answer-error.ts";
import type { HttpLimits } from "../options.ts";

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // Asks buffering proxies to pass bytes on at once.
  "x-accel-buffering": "no",
} as const;

export type Emit = (event: string, data: unknown) => void;

export interface CallStream {
  /** A line or more, as the reader is to get it. Gives back whether the reader keeps up. */
  write(text: string): boolean;
  end(): void;
  readonly response: Response;
}

/**
 * A stream that is written as things happen. The reader takes what is buffered; if the buffer is full, because it reads
 * too slowly or not at all, the stream ends: `onLost` is called, and nothing more is sent.
 */
export function openStream(limits: Pick<HttpLimits, "heartbeatMs" | "streamChars">, onLost: () => void): CallStream {
  const encoder = new TextEncoder();
  let waiting = "";
  let isOver = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let wanted = false;
  const pass = () => {
    if (!wanted || !controller || isLost) return;
    if (waiting !== "") {
      const text = waiting;
      // The reader may ask for more at once.
      waiting = "";
      wanted = false;
      controller.enqueue(encoder.encode(text));
    } else if (isOver) controller.close();
  };
  let isLost = false;
  const lose = () => {
    if (isLost || isOver) return;
    isLost = true;
    clearInterval(heartbeat);
    onLost();
  };
  const heartbeat = setInterval(() => {
    if (waiting === "") {
      waiting = ":\n\n";
      pass();
    }
  }, limits.heartbeatMs).unref();
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      pull() {
        wanted = true;
        pass();
      },
      cancel: lose,
    },
    { highWaterMark: 1 },
  );
  return {
    write(text) {
      if (isLost || isOver) return false;
      if (waiting.length > limits.streamChars) {
        // Nothing more is sent, so that the connection stalls and is closed.
        waiting = "";
        lose();
        return false;
      }
      waiting += text;
      pass();
      return true;
    },
    end() {
      if (isLost || isOver) return;
      isOver = true;
      clearInterval(heartbeat);
      pass();
    },
    response: new Response(body, { headers: STREAM_HEADERS }),
  };
}

/** What happens while a call is carried out, and at the end its result or its error. */
export function streamCall(
  limits: Pick<HttpLimits, "heartbeatMs" | "streamChars">,
  act: (emit: Emit) => Promise<unknown>,
  cancel: () => void,
): { response: Response; done: Promise<void> } {
  const stream = openStream(limits, cancel);
  const emit: Emit = (event, data) => void stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const done = act(emit).then(
    (result) => {
      emit("result", result);
      stream.end();
    },
    (error: unknown) => {
      warnOfFault(error);
      emit("error", { error: toDrydockError(error).toInfo() });
      stream.end();
    },
  );
  return { response: stream.response, done };
}
