import { isUtf8 } from "node:buffer";
import type { Redactor } from "../redact/create-redactor.ts";
import { type Content, refuseOversize } from "./local-contents.ts";

const TEXT_TYPE =
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|x-?ndjson|jsonl|yaml|x-yaml|toml|javascript|sql)\b)/i;

/** What is text is read whole and stored without its secrets; anything else passes through as it is. */
export async function redactContent(
  redactor: Redactor,
  content: Content,
  mime: string,
  limit: { maxBytes: number; what: string },
): Promise<Content> {
  if (!TEXT_TYPE.test(mime)) return content;
  const bytes = content instanceof Uint8Array ? content : await readWhole(content, limit);
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  const redacted = redactor.text(text);
  return redacted === text ? bytes : Buffer.from(redacted, encoding);
}

async function readWhole(chunks: AsyncIterable<Uint8Array>, limit: { maxBytes: number; what: string }) {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    refuseOversize(size, limit.maxBytes, limit.what);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
