import { describe, expect, it } from "vitest";
import { createCellFilter, createOutputFilter } from "./filter-output.ts";

/** Everything at once, and cut at each place. */
function filterAll(text: string): Set<string> {
  const results = new Set<string>();
  for (let at = 0; at <= text.length; at++) {
    const filter = createOutputFilter();
    results.add(filter.write(text.slice(0, at)) + filter.write(text.slice(at)) + filter.end());
  }
  return results;
}

describe("output on a person's terminal", () => {
  it.each([
    ["plain text\n\twith tabs, ümläuts and 漢字\n", "plain text\n\twith tabs, ümläuts and 漢字\n"],
    ["\u001b[1;31mred\u001b[0m", "\u001b[1;31mred\u001b[0m"],
    ["\u001b[31mred", "\u001b[31mred\u001b[0m"],
    ["10%\r20%\r\nend", "10%\n20%\nend"],
    ["\r10%\r\r20%\r", "10%\n20%\n"],
    ["evil\b\b\b\bgood\u007f", "evil\\x08\\x08\\x08\\x08good\\x7f"],
    ["\u001b[8mhidden\u001b[38;5;8mgrey\u001b[1;8m", "\\x1b[8mhidden\u001b[38;5;8mgrey\\x1b[1;8m\u001b[0m"],
    ["\u001b[38;2;8;8;8mdark\u001b[38:5:8m\u001b[m", "\u001b[38;2;8;8;8mdark\u001b[38:5:8m\u001b[m"],
    ["\u001b[4;58;5;8mx\u001b[58;2;0;8;0my", "\\x1b[4;58;5;8mx\\x1b[58;2;0;8;0my"],
    ["\u001b[58;5;9mx\u001b[58:5:8my\u001b[0m", "\u001b[58;5;9mx\u001b[58:5:8my\u001b[0m"],
    ["\u001bPq#0\u001b\\\u001b_G\u001b^x\u001bXy", "\\x1bPq#0\\x1b\\\\x1b_G\\x1b^x\\x1bXy"],
    ["\u001b[6n\u001bc\u001b#3\u0005\u000e", "\\x1b[6n\\x1bc\\x1b#3\\x05\\x0e"],
    ["😀\u001b[31;1", "😀\\x1b[31;1"],
    ["a\u001b]0;title\u0007b", "a\\x1b]0;title\\x07b"],
    ["a\u001b]52;c;aGk=\u0007", "a\\x1b]52;c;aGk=\\x07"],
    ["\u001b[2J\u001b[H", "\\x1b[2J\\x1b[H"],
    ["\u001b[?1049h", "\\x1b[?1049h"],
    ["\u009b2J", "\\x9b2J"],
    ["right\u202eleft", "right\\u202eleft"],
    ["cut \u001b[3", "cut \\x1b[3"],
  ])("%j is shown as %j, wherever it is cut", (text, shown) => {
    expect([...filterAll(text)]).toEqual([shown]);
  });

  it("keeps the way back in a line for notebooks, and colours that come in pieces", () => {
    const filter = createCellFilter();
    const text = ["1%\r2%\b3\u001b[3", "1mred\u001b[0m\u001b]0;x\u0007", "\u001b[8mhidden\u001b["]
      .map(filter.write)
      .join("");
    expect(text + filter.end()).toBe("1%\r2%\b3\u001b[31mred\u001b[0m\\x1b]0;x\\x07\\x1b[8mhidden\\x1b[");
  });

  it("takes time in proportion to the text, whatever it holds", () => {
    for (const text of ["\r", "\u001b[", "\u001b", "\r\u001b[1;"].map((each) => `a${each.repeat(1_000_000)}x`)) {
      const filter = createOutputFilter();
      for (let at = 0; at < text.length; at += 65_536) filter.write(text.slice(at, at + 65_536));
      filter.end();
    }
    const filter = createOutputFilter();
    expect(filter.write(`a${"\r".repeat(200_000)}`) + filter.write(`${"\r".repeat(200_000)}\nx`)).toBe("a\nx");
  });
});
