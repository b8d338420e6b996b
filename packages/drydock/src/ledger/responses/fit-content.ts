import { isText } from "../../base/text/index.ts";
import type { Redactor } from "../redact/create-redactor.ts";

export const MAX_KEPT_BYTES = 1024 * 1024;

/** What is kept of a response as text, and what has to be kept whole beside it. */
export interface FittedContent {
  /** Without secrets, at most `MAX_KEPT_BYTES`, ends at a whole character. */
  text: string;
  kept: number;
  truncated: boolean;
  /** Set where `text` is not all of it: the content without secrets, or bytes that are no text as they are. */
  whole: Uint8Array | null;
  size: number;
  isText: boolean;
}

/** Bytes are text if they are UTF-8 without NUL, whatever their type says: no column holds NUL in every database. */
export function fitContent(redactor: Redactor, content: Uint8Array, mime: string): FittedContent {
  if (!isText(content)) {
    const text = `[${content.length} bytes of ${mime}, which is not text: see the artifact]`;
    return { text, kept: 0, truncated: false, whole: content, size: content.length, isText: false };
  }
  const redacted = redactor.text(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString());
  const bytes = Buffer.from(redacted);
  if (bytes.length <= MAX_KEPT_BYTES) {
    return { text: redacted, kept: bytes.length, truncated: false, whole: null, size: bytes.length, isText: true };
  }
  const head = bytes.subarray(0, endOfCharacter(bytes, MAX_KEPT_BYTES));
  return {
    text: head.toString(),
    kept: head.length,
    truncated: true,
    whole: bytes,
    size: bytes.length,
    isText: true,
  };
}

/** The last place at or before `end` where no character of UTF-8 is cut in two. */
function endOfCharacter(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at > 0 && ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at -= 1;
  return at;
}
