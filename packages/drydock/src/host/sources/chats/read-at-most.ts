import { CallError } from "./call-fault.ts";

interface ReadOptions {
  maxBytes: number;
  signal: AbortSignal;
  /** Whose file it is, for messages. */
  service: string;
  headers?: Record<string, string>;
}

const FILE_MS = 60_000;

/** The bytes at an address; null where there are more than may be. No error names the address: it may have a token in it. */
export async function readAtMost(
  url: string,
  { maxBytes, signal, service, headers }: ReadOptions,
): Promise<Buffer | null> {
  const response = await fetch(url, {
    ...{ headers, redirect: "error" },
    signal: AbortSignal.any([signal, AbortSignal.timeout(FILE_MS)]),
  }).catch(() => null);
  if (!response?.ok || !response.body) {
    await response?.body?.cancel();
    const status = response ? ` (status ${response.status})` : "";
    throw new CallError({ kind: "down", text: `${service} did not give it${status}.` });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.length;
      // Leaving the loop ends the download.
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    throw new CallError({ kind: "down", text: `${service} stopped in the middle of it.` });
  }
  return Buffer.concat(chunks);
}
