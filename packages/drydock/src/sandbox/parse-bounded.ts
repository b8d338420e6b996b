export interface JsonBounds {
  /** Of bytes, or of characters where it is a text. */
  length: number;
  depth: number;
  /** Of values in lists and objects together. */
  values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * JSON that hostile code may have written; undefined where it is none, or more than the bounds. It is looked at before it is
 * parsed: a few megabytes of brackets become gigabytes of objects. A text is not copied for that.
 */
export function parseBounded(json: Buffer | string, bounds: JsonBounds): unknown {
  if (json.length > bounds.length || !isWithin(json, bounds)) return undefined;
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

function isWithin(json: Buffer | string, bounds: JsonBounds): boolean {
  const codeAt = typeof json === "string" ? (at: number) => json.charCodeAt(at) : (at: number) => json[at];
  const findQuote =
    typeof json === "string" ? (at: number) => json.indexOf('"', at) : (at: number) => json.indexOf(QUOTE, at);
  /** Where the string ends that begins before this place. */
  const findEnd = (start: number) => {
    for (let end = findQuote(start); end >= 0; end = findQuote(end + 1)) {
      let escapes = 0;
      while (codeAt(end - 1 - escapes) === BACKSLASH) escapes++;
      if (escapes % 2 === 0) return end;
    }
    return json.length;
  };
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const code = codeAt(at);
    if (code === QUOTE) at = findEnd(at + 1);
    else if (code === COMMA) values++;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      if (++depth > bounds.depth) return false;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (values > bounds.values) return false;
  }
  return true;
}
