import { describe, expect, it } from "vitest";
import { createKeyReader, type WrapKey } from "./read-keys.ts";

function read(...chunks: string[]): { sent: string; keys: WrapKey[] } {
  const keys: WrapKey[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  return { sent: chunks.map((chunk) => reader(Buffer.from(chunk)).toString()).join(""), keys };
}

describe("the keys of a wrap", () => {
  it("reach the program as they are, but for those after Ctrl-^", () => {
    expect(read("\u0003\u001a\u001c ls\r\u001b[A")).toEqual({ sent: "\u0003\u001a\u001c ls\r\u001b[A", keys: [] });
    expect(read("a\u001ecb", "\u001e", "r", "\u001e.", "\u001e?")).toEqual({
      sent: "ab",
      keys: ["checkpoint", "rewind", "end", "help"],
    });
  });

  it("send Ctrl-^ itself when it is pressed twice, or with ^, and what means nothing as it is", () => {
    expect(read("\u001e\u001e", "\u001e^", "\u001ex").sent).toBe("\u001e\u001e\u001ex");
  });
});
