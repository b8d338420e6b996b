import { expect, it } from "vitest";
import { chooseKind } from "./start-early-for.ts";

it.each([
  [["exec", "-c", "print(1)"], "python"],
  [["exec", "--lang", "node", "-c", "1"], "node"],
  [["exec", "--lang=node", "-c", "1"], "node"],
  [["exec", "a.mjs"], "node"],
  [["exec", "a.py", "--timeout", "3"], "python"],
  [["exec", "--", "node", "--help"], "python"],
  [["exec", "--session", "s_1", "-c", "1"], null],
  [["exec", "--unconfined", "-c", "1"], null],
  [["exec", "--help"], null],
  [["runs", "list"], null],
  [[], null],
])("%j starts: %s", (words, kind) => {
  expect(chooseKind(words)).toBe(kind);
});
