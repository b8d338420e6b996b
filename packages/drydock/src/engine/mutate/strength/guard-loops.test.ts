import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { applySplices } from "../splice.ts";
import { guardLoops } from "./guard-loops.ts";

const TEXT = `function count(xs) {
  let n = 0;
  for (const x of xs) n += x;
  for (let i = 0; i < 2; i++) { n += i; }
  for (const key in { a: 1 }) if (key) n += 1;
  while (n > 100) { n -= 100; }
  do n += 1; while (n < 5);
  outer: for (;;) { for (;;) break outer; }
  return n;
}
count([1, 2, 3]);`;

function run(text: string): { result: unknown; turns: number } {
  let turns = 0;
  const result = runInNewContext(text, { __drydockTurn: () => (turns += 1) });
  return { result, turns };
}

it("counts each turn of each loop, and changes nothing else", () => {
  const guarded = guardLoops("a.js", TEXT);
  expect(run(guarded?.text ?? "")).toEqual({ result: run(TEXT).result, turns: 3 + 2 + 1 + 1 + 2 });
  expect(guarded?.text.split("\n").length).toBe(TEXT.split("\n").length);
});

it.each([
  "n += x;",
  "i < 2",
  "i",
  "n += i;",
  "if (key) n += 1;",
  "n > 100",
  "{ n -= 100; }",
  "n < 5",
  "return n",
  "n += 1",
])("finds %s again", (part) => {
  const guarded = guardLoops("a.js", TEXT);
  const start = TEXT.indexOf(part);
  const edit = { start, end: start + part.length };
  const place = guarded?.place(edit) ?? edit;
  const strip = (text: string) =>
    text
      .replaceAll(/\{globalThis\.__drydockTurn\?\.\(\);|globalThis\.__drydockTurn\?\.\(\);|(?<=[;@])\}(?! |\n|$)/g, "")
      .replaceAll(/[{}]/g, "");
  const mutated = applySplices(guarded?.text ?? "", [{ ...place, replacement: "@" }]);
  expect(strip(mutated)).toBe(strip(applySplices(TEXT, [{ ...edit, replacement: "@" }])));
});

it("has nothing to guard where there is no loop, or no script", () => {
  expect(guardLoops("a.js", "export const add = (a, b) => a + b;\n")).toBeNull();
  expect(guardLoops("a.js", "for (;;")).toBeNull();
});
