/**
 * Linux names are bytes, JavaScript's are UTF-16. A path is kept as a string in which each byte that is no part of valid
 * UTF-8 stands as one lone surrogate U+DC80..U+DCFF: what Python calls `surrogateescape`, so that a path from the
 * sandbox's Python side and one from here are equal strings. Two different names never become the same string, and
 * JSON carries it as `\udcXX`.
 */
export function decodePath(bytes: Buffer): string {
  const plain = bytes.toString("utf8");
  if (!plain.includes("\ufffd")) return plain;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 | (bytes[at] ?? 0));
      at += 1;
    } else {
      text += bytes.toString("utf8", at, at + length);
      at += length;
    }
  }
  return text;
}

/** The bytes of a path. Only escapes written by `decodePath` turn back into raw bytes. */
export function encodePath(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path, "utf8");
  const parts: Buffer[] = [];
  for (const character of path) {
    const unit = character.charCodeAt(0);
    const escaped = character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff;
    parts.push(escaped ? Buffer.from([unit & 0xff]) : Buffer.from(character, "utf8"));
  }
  return Buffer.concat(parts);
}

/** What Node's file functions take for a path: the string itself wherever that is exact. */
export function toFilePath(root: string, relative: string): string | Buffer {
  const full = relative === "" ? root : `${root}/${relative}`;
  return relative.isWellFormed() ? full : encodePath(full);
}

export function joinPath(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** Byte order, which differs from JavaScript's own only where a surrogate takes part in the first difference. */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  let at = 0;
  while (at < shared && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === shared) return left.length - right.length;
  const a = left.charCodeAt(at);
  const b = right.charCodeAt(at);
  if (a < 0xd800 && b < 0xd800) return a - b;
  return Buffer.compare(encodePath(left), encodePath(right));
}

/** Length of the valid UTF-8 sequence that starts here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = 2; next < length; next += 1) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
