import { expect, it } from "vitest";
import { spoilData } from "./spoil-data.ts";

it.each([
  ["a.json", "5", "6"],
  ["a.json", '{"a": [1, {"b": "x y"}]}\n', '{"a": [1, {"b": "x z"}]}\n'],
  ["a.json", '{"a": true}', '{"a": false}'],
  ["a.json", '{"a": ""}', '{"a": "s"}'],
  [
    "a.json",
    '[{"in": 2, "expected": 4}, {"in": 3, "expected": 9}]',
    '[{"in": 2, "expected": 5}, {"in": 3, "expected": 10}]',
  ],
  ["a.json", "[[2, 3, 5], [1, 1, 2]]", "[[2, 3, 6], [1, 1, 3]]"],
  ["a.json", "[]", "[]0"],
  ["a.csv", "name,price\nnut,1.50\r\nbolt,9\n", "name,pricf\nnut,1.51\r\nbolt,8\n"],
  ["a.txt", "Hello, World!\n\n---\nend\n", "Hello, Worle!\n\n---0\nene\n"],
  ["a.yaml", "# why\nshop:\n  nuts: 5\n", "# why\nshop:\n  nuts: 6\n"],
  ["a.txt", "\n", "\n0"],
  ["a.txt", "größe ß\n", "größf ß\n"],
])("makes %s wrong: %j", (path, before, after) => {
  expect(spoilData(path, Buffer.from(before))?.toString()).toBe(after);
});

it("changes bytes of what is no text, and not its length", () => {
  const content = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 4, 5, 6, 7]);
  const spoiled = spoilData("a.png", content);
  expect(spoiled?.length).toBe(content.length);
  expect(spoiled?.equals(content)).toBe(false);
  expect(spoiled?.subarray(0, 2)).toEqual(content.subarray(0, 2));
});

it.each([1, 2, 3, 4, 5])("changes %i bytes", (length) => {
  const content = Buffer.alloc(length, 0xff);
  expect(spoilData("a.bin", content)?.equals(content)).toBe(false);
});

it("has nothing to change in an empty file", () => {
  expect(spoilData("a.json", Buffer.alloc(0))).toBeNull();
});
