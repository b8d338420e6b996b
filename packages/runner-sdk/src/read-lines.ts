const NEWLINE = 10;

/** The lines of a stream of bytes, without their ends; null for one that is longer than allowed. Empty ones are left out. */
export async function* readLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const take = (): string | null => {
    const line = size > maxBytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    size = 0;
    return line;
  };
  for await (const bytes of input) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line === null || line.trim() !== "") yield line;
    }
    if (start < bytes.length) add(bytes.subarray(start));
  }
}
