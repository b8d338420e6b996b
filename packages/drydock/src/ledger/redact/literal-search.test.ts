import fc from "fast-check";
import { expect, test } from "vitest";
import { createLiteralSearch } from "./literal-search.ts";

test("it finds what a naive search finds, leftmost and longest", () => {
  // A small alphabet makes literals overlap, repeat and begin with one another.
  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom("a", "b", "é", "日"), minLength, maxLength });
  fc.assert(
    fc.property(
      fc.uniqueArray(word(8, 12), { maxLength: 12 }),
      word(0, 200),
      fc.array(fc.nat(11)),
      (literals, noise, picks) => {
        const text = noise + picks.map((pick) => (literals[pick] ?? "") + noise.slice(0, pick)).join("");
        const search = createLiteralSearch(literals.map((literal) => ({ text: literal, name: literal })));
        expect(search.replace(text, (name) => `<${name.length}>`)).toBe(replaceNaively(text, literals));
      },
    ),
    { numRuns: 300 },
  );
});

function replaceNaively(text: string, literals: readonly string[]): string {
  const longestFirst = literals.toSorted((a, b) => b.length - a.length);
  let result = "";
  for (let i = 0; i < text.length; ) {
    const hit = longestFirst.find((literal) => text.startsWith(literal, i));
    result += hit ? `<${hit.length}>` : text.charAt(i);
    i += hit?.length ?? 1;
  }
  return result;
}

test("literals of six characters are found where the search is told of them", () => {
  const search = createLiteralSearch([{ text: "abcdef", name: "N" }], 6);
  expect(search.replace("ababcdefabcde", () => "!")).toBe("ab!abcde");
});

test("a text without any of them comes back as it is", () => {
  const search = createLiteralSearch([
    { text: "12345678", name: "N" },
    { text: "short", name: "S" },
  ]);
  expect(search.replace("1234567 short", () => "!")).toBe("1234567 short");
  expect(search.replace("", () => "!")).toBe("");
});
