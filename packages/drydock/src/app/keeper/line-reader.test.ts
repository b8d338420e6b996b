import { describe, expect, it } from "vitest";
import { createLineReader } from "./line-reader.ts";

function read(maxBytes: number, chunks: (string | Buffer)[]): { lines: string[]; tooLong: number } {
  const seen = { lines: [] as string[], tooLong: 0 };
  const reader = createLineReader(
    maxBytes,
    (line) => seen.lines.push(line),
    () => {
      seen.tooLong += 1;
    },
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return seen;
}

describe("a line reader", () => {
  it("puts lines together that arrive in pieces, and takes several out of one piece", () => {
    expect(read(100, ["a", "b\nc", "d\n\ne\nf"]).lines).toEqual(["ab", "cd", "", "e"]);
  });

  it("does not break a character whose bytes arrive apart", () => {
    const bytes = Buffer.from("ü€\n");
    expect(read(100, [bytes.subarray(0, 1), bytes.subarray(1, 4), bytes.subarray(4)]).lines).toEqual(["ü€"]);
  });

  it("reports a line that is too long once, and ignores what follows", () => {
    expect(read(4, ["1234\n", "123", "45", "6\nok\n"])).toEqual({ lines: ["1234"], tooLong: 1 });
  });
});
