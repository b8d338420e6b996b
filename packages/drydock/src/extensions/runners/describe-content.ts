import { isText } from "../../base/text/index.ts";

/** The first bytes of what tools print that is no text. */
const SIGNATURES: readonly [mime: string, bytes: readonly number[]][] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["application/zip", [0x50, 0x4b, 0x03, 0x04]],
  ["application/gzip", [0x1f, 0x8b]],
];
const MAX_JSON_BYTES = 16 * 1024 * 1024;
/** A value that is nested deeper can be parsed, but not serialized again or walked recursively. */
const MAX_JSON_DEPTH = 500;

/** What a tool printed, by its looks: it seldom says. */
export function describeContent(content: Uint8Array): string {
  const known = SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => content[at] === byte));
  if (known) return known[0];
  if (!isText(content)) return "application/octet-stream";
  return parseJson(content) === undefined ? "text/plain" : "application/json";
}

/** Objects and lists only: a plain number is JSON too, but is shown as text. */
export function parseJson(content: Uint8Array): unknown {
  if (content.length > MAX_JSON_BYTES) return undefined;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString().trim();
  if (!/^[[{]/.test(text) || isDeeper(text, MAX_JSON_DEPTH)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > most) return true;
    } else if (character === "]" || character === "}") depth -= 1;
  }
  return false;
}
