import { isUtf8 } from "node:buffer";
import type { Ledger } from "../../../ledger/index.ts";

type Redacting = Pick<Ledger, "redact">;

/** The bytes of a text as replays need it; null if it holds a secret: secrets are not stored, nor their hashes. */
export function toKeptText({ redact }: Redacting, text: string): Buffer | null {
  return redact(text) === text ? Buffer.from(text) : null;
}

/** The same for bytes. One byte that is no text must not carry the secrets around it past the redaction. */
export function holdsSecret({ redact }: Redacting, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    isUtf8(bytes) ? "utf8" : "latin1",
  );
  return redact(text) !== text;
}
