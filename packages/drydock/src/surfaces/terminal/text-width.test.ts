import { describe, expect, it } from "vitest";
import { cut, widthOf } from "./text-width.ts";

describe("the width of a text in a terminal", () => {
  it.each([
    ["plain letters", "abc", 3],
    ["signs of one column", "✓✗─…⠋", 5],
    ["Chinese", "表示", 4],
    ["rare Chinese, beyond the first 65,536 characters", "\u{20000}\u{30000}", 4],
    ["Tangut", "\u{17000}", 2],
    ["Yi", "\ua000", 2],
    ["Korean", "각", 2],
    ["full width", "Ａ\u3000", 4],
    ["half width", "ｱ", 1],
    ["an accent of its own", "e\u0301", 1],
    ["a thousand accents on one letter", `a${"\u0301".repeat(1000)}`, 1],
    ["a vowel sign that takes room", "\u0928\u093f", 2],
    ["a space without width", "a\u200bb\u2060c\ufeff", 3],
    ["a soft hyphen, which terminals show", "a\u00adb", 3],
    ["a flag", "🇩🇪", 2],
    ["a flag of tags", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", 2],
    ["an emoji", "🚀", 2],
    ["a symbol as a picture", "❤\ufe0f", 2],
    ["the same symbol as text", "❤\ufe0e", 1],
    ["a keycap", "1\ufe0f\u20e3", 2],
    ["an emoji that has two columns already", "⌚\ufe0f", 2],
    ["selectors that select nothing", `a${"\ufe0f".repeat(9)}`, 1],
    ["half of a surrogate pair", "\ud800", 1],
  ])("counts %s", (_name, text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it("is the larger one where terminals differ, so that no line is ever longer than the terminal is wide", () => {
    expect(widthOf("👨\u200d👩\u200d👧")).toBe(6);
    expect(widthOf("👍🏽")).toBe(4);
  });
});

describe("a text that is cut", () => {
  it("keeps what fits with an ellipsis, and each accent with its letter", () => {
    expect(cut("表表表表", 8)).toBe("表表表表");
    expect(cut("表表表表", 7)).toBe("表表表…");
    expect(cut("表表表表", 6)).toBe("表表…");
    expect(cut("abe\u0301\u0302xyz", 4)).toBe("abe\u0301\u0302…");
    expect(cut("ab\u{20000}\u{20000}\u{20000}", 5)).toBe("ab\u{20000}…");
  });

  it("is never wider than asked, whatever it is made of", () => {
    for (const piece of [
      "x",
      "表",
      "e\u0301",
      "❤\ufe0f",
      "🇩🇪",
      "👍🏽",
      "👨\u200d👩\u200d👧",
      "\ud800",
      "\u1100\u1161",
      "1\ufe0f\u20e3",
    ])
      for (let width = 4; width < 12; width++) expect(widthOf(cut(piece.repeat(40), width))).toBeLessThanOrEqual(width);
  });
});
