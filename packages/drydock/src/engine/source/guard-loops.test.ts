import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { guardLoops } from "./guard-loops.ts";
import { parseScript } from "./parse-script.ts";
import { applySplices } from "./splice.ts";

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

/** What a text says, without positions, guards, and braces around a single statement; null: it does not parse. */
function read(text: string): unknown {
  const program = parseScript("a.js", text);
  return program && strip(program);
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  const names = ["start", "end", "loc", "extra", "errors"];
  const entries = Object.entries(value).filter(([name]) => !names.includes(name));
  const isBlock = "type" in value && value.type === "BlockStatement";
  const fields = Object.fromEntries(
    entries.map(([name, each]) => [name, isBlock && name === "body" ? strip(withoutTurn(each)) : strip(each)]),
  );
  return isBlock && Array.isArray(fields.body) && fields.body.length === 1 ? fields.body[0] : fields;
}

function withoutTurn(statements: unknown[]): unknown[] {
  return JSON.stringify(strip(statements[0]))?.startsWith(
    '{"type":"ExpressionStatement","expression":{"type":"OptionalCall',
  )
    ? statements.slice(1)
    : statements;
}

it.each([
  [TEXT, "n += x;", ";"],
  [TEXT, "i < 2", "0"],
  [TEXT, "n += i;", ""],
  [TEXT, "if (key) n += 1;", ";"],
  [TEXT, "for (const x of xs) n += x;", ""],
  [TEXT, "for (const key in { a: 1 }) if (key) n += 1;", ";"],
  [TEXT, "do n += 1; while (n < 5);", ""],
  [TEXT, "n > 100", "0"],
  [TEXT, "{ n -= 100; }", "{}"],
  [TEXT, "n < 5", "0"],
  [TEXT, "return n", "return 0"],
  [TEXT, "n += 1", "0"],
  ["switch (k) { case 1: for (const x of xs) g(x); case 2: h(); }", "for (const x of xs) g(x);", ""],
  ["switch (k) { case 1: f(); for (const x of xs) g(x); }", "f(); for (const x of xs) g(x);", ""],
  ["for (const x of xs) for (const y of x) g(y);", "for (const y of x) g(y);", ";"],
  ["for (const x of xs) for (const y of x) g(y);", "g(y);", ";"],
  ["for (const x of xs) for (const y of x) g(y);", "for (const x of xs) for (const y of x) g(y);", ""],
  ["for (const x of xs) g(x);h();", "h();", ""],
])("%s, without %j: the same with guards", (text, part, replacement) => {
  const guarded = guardLoops("a.js", text);
  const start = text.indexOf(part);
  const edit = { start, end: start + part.length };
  const plain = applySplices(text, [{ ...edit, replacement }]);
  const mutant = applySplices(guarded?.text ?? "", [{ ...(guarded?.place(edit) ?? edit), replacement }]);
  expect(read(plain)).not.toBeNull();
  expect(read(mutant)).toEqual(read(plain));
});

it("has nothing to guard where there is no loop, or no script", () => {
  expect(guardLoops("a.js", "export const add = (a, b) => a + b;\n")).toBeNull();
  expect(guardLoops("a.js", "for (;;")).toBeNull();
});
