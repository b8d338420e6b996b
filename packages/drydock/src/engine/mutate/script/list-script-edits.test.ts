import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../source/parse-script.ts";
import { applySplices } from "../../source/splice.ts";
import { listScriptEdits } from "./list-script-edits.ts";

/** Each edit as `operator: old → new`. */
function edits(text: string, path = "a.js"): string[] {
  const found = listScriptEdits({ path, text, lines: null }) ?? [];
  // That the one statement itself can go is the same everywhere.
  const inner = found.filter(({ start, operator }) => operator !== "statement" || start > 0);
  return inner.map(
    ({ start, end, replacement, operator }) => `${operator}: ${text.slice(start, end)} → ${replacement}`,
  );
}

describe("the edits of a script", () => {
  it.each<[code: string, expected: string[]]>([
    ["a + b", ["arithmetic: + → -"]],
    ["a /* + */ * b", ["arithmetic: * → /"]],
    ["a ** b % c", ["arithmetic: ** → *", "arithmetic: % → *"]],
    ["'x' + a", ["string: 'x' → \"\""]],
    ["x += 2", ["assignment: += → -=", "literal: 2 → 3"]],
    ["x ??= y", ["assignment: ??= → &&="]],
    ["f(!a)", ["boolean: ! → "]],
    ["f(-a, ~b)", ["unary: - →  +", "unary: ~ → "]],
    ["f(i++, --j)", ["unary: ++ → --", "unary: -- → ++"]],
    ["a?.b?.[0]", ["chaining: ?. → .", "chaining: ?. → ", "literal: 0 → 1"]],
    ["f?.()", ["chaining: ?. → "]],
    ["f(true)", ["literal: true → false"]],
    ["f(`a\n`, ``)", ["string: `a\n` → ``", 'string: `` → "changed"']],
    ["f([1], [])", ["collection: [1] → []", "literal: 1 → 2", 'collection: [] → ["changed"]']],
    ["f({ a: b })", ["collection: { a: b } → {}"]],
    ["f(/^\\d+[a]$/)", ["regex: ^ → ", "regex: \\d → \\D", "regex: + → ", "regex: [ → [^", "regex: $ → "]],
    ["s.startsWith(t)", ["call: startsWith → endsWith"]],
    ["(await s).trim()", ["call: (await s).trim() → (await s)"]],
    ["Math.max(a, b)", ["call: max → min"]],
    ["(a, b = 1) => a", ["default: 1 → 2", "return: a → undefined"]],
    ["() => ({ a })", ["return: ({ a }) → undefined", "collection: { a } → {}"]],
    ["while (a) { b(); }", ["condition: a → false"]],
    [
      "if (a) b(); else c()",
      ["condition: a → false", "condition: a → true", "statement: b(); → ;", "statement: c() → ;"],
    ],
    [
      "for (;;) { if (a) break; b(); }",
      [
        "block: { if (a) break; b(); } → {}",
        "condition: a → false",
        "condition: a → true",
        "loop: break → continue",
        "statement: b(); → ;",
      ],
    ],
    ["switch (a) { case 1: b(); break; }", ["literal: 1 → 2", "statement: b(); → ;", "block: b(); break; → "]],
    [
      "function f() { g(); throw e; }",
      ["block: { g(); throw e; } → {}", "statement: g(); → ;", "exception: throw e; → ;"],
    ],
    ["x = a < b", ["condition: a < b → false", "condition: a < b → true", "comparison: < → <=", "comparison: < → >="]],
    ["f(a ?? b ?? c)", ["boolean: a ?? b → (a && b)", "boolean: a ?? b ?? c → ((a ?? b) && c)"]],
  ])("%s", (code, expected) => {
    expect(edits(code).toSorted()).toEqual(expected.toSorted());
  });

  it("leaves out types, imports, keys, directives, what is printed, and what runs as a program only", () => {
    const typed = `"use strict";
import a from "a";
export * from "b";
const b = await import("c");
type T = "x" | 1;
interface I { a: 1 }
enum E { A = 1 }
let c: 1 | "y" = d as 2;
console.log("hello", 1 + 1);
if (import.meta.main) run(1);
f(require("d"), Symbol("e"));
`;
    expect(edits(typed, "a.ts")).toEqual(['statement: f(require("d"), Symbol("e")); → ;']);
  });

  it("keeps to the lines that are asked for", () => {
    const text = "f(1);\nf(2);\nf(3);\n";
    const found = listScriptEdits({ path: "a.js", text, lines: [[2, 2]] }) ?? [];
    expect(found.map(({ line }) => line)).toEqual([2, 2]);
  });

  it("gives null for what does not parse", () => {
    expect(listScriptEdits({ path: "a.js", text: "if (", lines: null })).toBeNull();
  });

  it("leaves a program that parses, wherever it edits this very source", () => {
    for (const name of readdirSync(import.meta.dirname)) {
      const text = readFileSync(join(import.meta.dirname, name), "utf8");
      const found = listScriptEdits({ path: name, text, lines: null }) ?? [];
      expect(found.length, name).toBeGreaterThan(10);
      for (const edit of found.filter((_, index) => index % 5 === 0)) {
        expect(parseScript(name, applySplices(text, [edit])), JSON.stringify(edit)).not.toBeNull();
      }
    }
  });
});
