import type { Ledger } from "../../ledger/index.ts";
import type { Input } from "../runs/api.ts";
import { holdsSecret } from "../runs/record/kept-content.ts";

/** Longer input is passed on, and not kept. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** What the terminal event says about standard input. Without `sha256`, `missing` says why it was not kept. */
interface RecordedInput {
  bytes: number;
  sha256?: string;
  missing?: "large" | "secret";
}

interface RememberedInput {
  /** To be read in place of the input. */
  source: Input;
  /** Stores what was read, for replays. Nothing where nothing came. */
  keep(ledger: Pick<Ledger, "blobs" | "redact">, runId: string): Promise<{ stdin?: RecordedInput }>;
}

/** Standard input that remembers what it delivered. */
export function rememberInput(input: Input): RememberedInput {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const collect = (chunk: string | Uint8Array) => {
    const part = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    bytes += part.length;
    // A buffer may be used again by whoever gave it.
    if (bytes <= MAX_KEPT_BYTES) parts.push(Buffer.from(part));
    else parts.length = 0;
  };
  async function* listen(chunks: AsyncIterable<string | Uint8Array>) {
    for await (const chunk of chunks) {
      collect(chunk);
      yield chunk;
    }
  }
  const isWhole = typeof input === "string" || input instanceof Uint8Array;
  if (isWhole) collect(input);
  return {
    source: isWhole ? input : listen(input),
    async keep(ledger, runId) {
      if (bytes === 0) return {};
      if (bytes > MAX_KEPT_BYTES) return { stdin: { bytes, missing: "large" } };
      const whole = Buffer.concat(parts);
      if (holdsSecret(ledger, whole)) return { stdin: { bytes, missing: "secret" } };
      return { stdin: { bytes, sha256: (await ledger.blobs.put(whole, { runId })).sha256 } };
    },
  };
}
