const NEWLINE = 0x0a;

export interface LineReader {
  push(chunk: Buffer): void;
}

/**
 * Cuts a stream of bytes into lines. Of a line that is longer than `maxBytes` nothing is kept: it is reported once, and
 * the rest of the stream is ignored, since such a sender can't be trusted.
 */
export function createLineReader(maxBytes: number, onLine: (line: string) => void, onTooLong: () => void): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  let overflowed = false;

  function take(part: Buffer): boolean {
    length += part.length;
    if (length > maxBytes) {
      overflowed = true;
      parts = [];
      onTooLong();
      return false;
    }
    parts.push(part);
    return true;
  }

  return {
    push(chunk) {
      let rest = chunk;
      while (!overflowed) {
        const end = rest.indexOf(NEWLINE);
        if (end < 0) {
          if (rest.length > 0) take(rest);
          return;
        }
        if (!take(rest.subarray(0, end))) return;
        const line = Buffer.concat(parts).toString("utf8");
        parts = [];
        length = 0;
        onLine(line);
        rest = rest.subarray(end + 1);
      }
    },
  };
}
