import type { IncomingMessage } from "node:http";

/** One body at most. Anthropic takes 32 MB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** All bodies of a run that are held at once: the memory is the host's. */
const MAX_HELD_BYTES = 96 * 1024 * 1024;

/** How much a run's requests hold at the moment. */
export interface HeldBytes {
  bytes: number;
}

/** Null where it is too large. Whoever gets a body takes it off `held` when it is sent. */
export async function readBody(request: IncomingMessage, held: HeldBytes): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      held.bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES || held.bytes > MAX_HELD_BYTES) {
        held.bytes -= bytes;
        return null;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    held.bytes -= bytes;
    throw error;
  }
  return Buffer.concat(chunks);
}
