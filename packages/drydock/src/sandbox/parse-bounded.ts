export interface JsonBounds {
  bytes: number;
  depth: number;
  /** Of values in lists and objects together. */
  values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * JSON that hostile code may have written; undefined where it is none, or more than the bounds. It is looked at before it is
 * parsed: a few megabytes of brackets become gigabytes of objects.
 */
export function parseBounded(bytes: Uint8Array, bounds: JsonBounds): unknown {
  if (bytes.length > bounds.bytes || !isWithin(bytes, bounds)) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    return undefined;
  }
}

function isWithin(bytes: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findEnd(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++depth > bounds.depth) return false;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > bounds.values) return false;
  }
  return true;
}

/** Where the string ends that begins before this place. */
function findEnd(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
