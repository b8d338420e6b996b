import type { Authorize } from "./authorize.ts";

/** Ends a stream whose caller is no longer authorized. Other responses are returned as they are. */
export type WatchStream = (headers: Headers, response: Response) => Response;

interface Watched {
  headers: Headers;
  /** Ends one stream. */
  ends: Set<() => void>;
}

/**
 * A request is authorized once, but a stream stays open for long: its token is checked again, once for all streams with
 * the same token. There is one timer, and none while there are no streams.
 */
export function watchStreams(authorize: Authorize, everyMs: number): WatchStream {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const { headers, ends } of watched.values()) {
      if (mayComeIn(authorize, headers)) continue;
      for (const end of ends) end();
    }
  }

  /** Gives back what is called when the stream is over. */
  function add(headers: Headers, end: () => void): () => void {
    const key = JSON.stringify(["authorization", "cookie", "host", "origin"].map((name) => headers.get(name)));
    const group = watched.get(key) ?? { headers, ends: new Set() };
    watched.set(key, group);
    group.ends.add(end);
    timer ??= setInterval(look, everyMs).unref();
    return () => {
      group.ends.delete(end);
      if (group.ends.size === 0 && watched.get(key) === group) watched.delete(key);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }

  return (headers, response) => {
    const { body } = response;
    if (!body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    const reader = body.getReader();
    const forget = add(headers, () => {
      forget();
      // A waiting reader gets the end; the work for it is cancelled, as if the caller had disconnected.
      reader.cancel().catch(() => {});
    });
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = await reader.read().catch((error: unknown) => {
            forget();
            throw error;
          });
          if (!next.done) return controller.enqueue(next.value);
          forget();
          controller.close();
        },
        cancel(reason) {
          forget();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(stream, { status: response.status, headers: response.headers });
  };
}

/** By its scope it was let in before; what counts now is whether it still opens anything. */
function mayComeIn(authorize: Authorize, headers: Headers): boolean {
  try {
    authorize(headers, "read");
    return true;
  } catch {
    return false;
  }
}
