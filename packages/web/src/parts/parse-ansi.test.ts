import { describe, expect, it } from "vitest";
import { parseAnsi } from "./parse-ansi.ts";

const plain = (text: string) =>
  parseAnsi(text)
    .map((piece) => piece.text)
    .join("");

describe("output of a terminal", () => {
  it("keeps its colours", () => {
    expect(parseAnsi("a\x1b[1;32mb\x1b[0mc")).toMatchObject([
      { text: "a", color: null, isBold: false },
      { text: "b", color: 2, isBold: true },
      { text: "c", color: null, isBold: false },
    ]);
    expect(parseAnsi("\x1b[38;5;196mx\x1b[48;2;1;2;3my\x1b[31mz").map(({ color }) => color)).toEqual([null, null, 1]);
  });

  it.each([
    ["a title", "\x1b]0;title\x07text", "text"],
    ["a link", "\x1b]8;;javascript:alert(1)\x1b\\text\x1b]8;;\x1b\\", "text"],
    ["a moved cursor", "one\x1b[2K\x1b[1Gtwo\x1b[3A", "onetwo"],
    ["a string that never ends", "text\x1bPqabc", "text"],
    ["a half sequence", "text\x1b[", "text"],
    ["a backspace and a bell", "a\b\x07b", "ab"],
    ["C1 controls", "a\x9bb\x85c", "abc"],
    ["a line that is written again", "10%\r50%\rdone\nnext", "done\nnext"],
    ["Windows' line ends", "a\r\nb", "a\nb"],
    ["a reversed direction", "a\u202eb", "a⟨U+202E⟩b"],
    ["markup", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ])("shows the text of %s, and nothing else of it", (_, text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});
