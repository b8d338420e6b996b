import { readStream, type ServerSentEvent } from "./read-stream.ts";

export interface StreamSource<Event> {
  /** The stream after the last event that was seen; null where there is nothing more. */
  open(last: string | undefined): Promise<Response | null>;
  read(sent: ServerSentEvent): { event: Event; last: string; isEnd?: boolean };
  after?: string;
  signal?: AbortSignal;
}

const PAUSES_MS = [0, 200, 1000, 3000];

/**
 * The events of a stream, each once and in order. A connection that breaks is made again from the last event; where that
 * fails several times in a row, the last error is thrown.
 */
export async function* followStream<Event>(source: StreamSource<Event>): AsyncGenerator<Event> {
  const { signal } = source;
  let last = source.after;
  let failures = 0;
  while (!signal?.aborted) {
    const before = last;
    try {
      const response = await source.open(last);
      if (response === null) return;
      for await (const sent of readStream(response)) {
        const { event, last: seen, isEnd } = source.read(sent);
        last = seen;
        yield event;
        if (isEnd) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isRefusal(error) || failures + 1 >= PAUSES_MS.length) throw error;
    }
    failures = last === before ? Math.min(failures + 1, PAUSES_MS.length - 1) : 0;
    await pause(PAUSES_MS[failures] ?? 0, signal);
  }
}

/** The server has answered, and will answer the same again. */
function isRefusal(error: unknown): boolean {
  return typeof Object(Object(error).data).status === "number";
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      done();
    }
    signal?.addEventListener("abort", finish, { once: true });
  });
}
