import { TO_WARDEN } from "./frames.ts";
import type { Member } from "./member.ts";

export type StdinSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

const PIECE_BYTES = 256 * 1024;
const WINDOW_BYTES = 1024 * 1024;

export interface InputFeed {
  /** The warden says that the code took so much. */
  taken(bytes: number): void;
  /** The run is over: the input has no reader any more. */
  stop(): void;
}

/** Sends input as fast as the code reads it, so an endless source does not fill the memory. */
export function feedInput(member: Member, input: StdinSource, onFailed: (error: unknown) => void): InputFeed {
  let ahead = 0;
  let stopped = false;
  let wake = () => {};

  async function send(chunk: string | Uint8Array): Promise<void> {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length && !stopped; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      ahead += piece.length;
      member.send([TO_WARDEN.input, piece]);
      while (ahead >= WINDOW_BYTES && !stopped) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  }

  async function feed(): Promise<void> {
    try {
      if (typeof input === "string" || input instanceof Uint8Array) return await send(input);
      for await (const chunk of input) {
        await send(chunk);
        if (stopped) return;
      }
    } catch (error) {
      // The code sees the end of its input; the caller gets a note that this was not all.
      if (!stopped) onFailed(error);
    } finally {
      member.send([TO_WARDEN.inputEnd, ""]);
    }
  }

  void feed();
  return {
    taken(bytes) {
      ahead -= bytes;
      wake();
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}
