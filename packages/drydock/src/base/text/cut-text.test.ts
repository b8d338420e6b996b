import { describe, expect, it } from "vitest";
import { cutStart, cutText, fitText, shortenLine } from "./cut-text.ts";

describe("cutting text", () => {
  it("leaves what is short enough as it is", () => {
    for (const cut of [cutText, cutStart, fitText, shortenLine]) expect(cut("abcdef", 6)).toBe("abcdef");
  });

  it("says that something is missing, and where", () => {
    expect(cutText("abcdef", 3)).toBe("abc…");
    expect(cutText("abcdef", 3, "\n(cut)")).toBe("abc\n(cut)");
    expect(cutStart("abcdef", 3)).toBe("…def");
    expect(fitText("abcdef", 3)).toBe("ab…");
    expect(shortenLine("ab\n  cdefghij", 9)).toBe("ab  … hij");
  });

  it("parts no character", () => {
    const faces = "😀😀😀😀😀😀";
    for (let chars = 1; chars < faces.length; chars++) {
      for (const cut of [cutText, cutStart, fitText]) expect(cut(faces, chars)).toSatisfy(isWhole);
    }
    expect(shortenLine(faces, 9)).toSatisfy(isWhole);
  });

  it("keeps bytes of names that are no text, which stand as lone surrogates", () => {
    expect(cutText("a\udc80bc", 2)).toBe("a\udc80…");
    expect(cutStart("abc\udc80d", 2)).toBe("…\udc80d");
  });
});

function isWhole(text: string): boolean {
  return text.isWellFormed();
}
