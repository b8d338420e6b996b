import { expect, it } from "vitest";
import { countWord } from "./count-word.ts";

it.each([
  [0, "run", undefined, "0 runs"],
  [1, "run", undefined, "1 run"],
  [2000, "file", undefined, "2,000 files"],
  [1, "entry", "entries", "1 entry"],
  [2, "check passes", "checks pass", "2 checks pass"],
])("%i of %s", (count, word, plural, text) => {
  expect(countWord(count, word, plural)).toBe(text);
});
