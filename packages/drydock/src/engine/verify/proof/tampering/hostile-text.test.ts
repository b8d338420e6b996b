import { expect, it } from "vitest";
import { findAssertionHandler } from "./assertion-handlers.ts";
import { findOwnComparison } from "./own-comparison.ts";
import { findSharedState } from "./shared-state.ts";

const SIZE = 400_000;
const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));

it.each([
  ["no function before the handler", `${fill("x = 1\n")}except AssertionError:\n`],
  ["handlers without an end", fill("except AssertionError ")],
  ["heads without an end", `${fill("def f(")}\nexcept AssertionError:\n`],
  ["many handlers of one function", `def f(a):\n${fill(" except AssertionError:\n")}`],
  ["many functions with handlers", fill("def f(a):\n except AssertionError:\n")],
])("looks for handlers in a large text: %s", (_, text) => {
  expect(findAssertionHandler("", text)).toBeUndefined();
  expect(findAssertionHandler("", `${text}\ndef g(run):\n  run()\nexcept AssertionError as e:\n`)).toBe(
    "except AssertionError as e:",
  );
});

it.each([
  ["a.py", "classes", fill("class A:\n    x = 1\n")],
  ["a.py", "a long name", `class ${fill("a")}\n`],
  ["a.py", "calls in one line", `class A:\n  def __eq__(self, other):\n    return ${fill("range(")}\n`],
  ["a.py", "empty lines", `class A:\n  def __eq__(self, other):\n    return other + 1 == other\n${fill("\n")}`],
  ["a.js", "methods", fill("toString() { return 1; }\n")],
  ["a.js", "methods without a body", fill("toString(")],
  ["a.js", "properties without a body", fill("valueOf:")],
  ["a.js", "a chain", `toString() { return ${fill("a.")}; }\n`],
  ["a.js", "declarations", `toString() {\n${fill("let a = 1; a++; ")} }\n`],
  ["a.h", "operators without an owner", fill("bool operator==(int x) const { return v == x; }\n")],
  ["a.h", "operators without a body", fill("operator==(int x) ")],
])("%s, %s: a large text has no comparison of its own", (path, _, text) => {
  expect(findOwnComparison(path, "", text, () => false)).toBeNull();
});

it.each([
  ["a.js", fill("class A extends Array {\n")],
  ["a.js", fill("toString() {\n")],
  ["a.h", fill("bool operator==(int x) { return v == x;\n")],
])("%s: what is nested too deep to look at is told", (path, text) => {
  expect(findOwnComparison(path, "", text, () => false)).toContain("more blocks in one another");
});

it.each([
  fill("for x in xs: "),
  `${fill("for ")}\n${fill("delete a[")}`,
  fill("def f(a, "),
  fill("a"),
  `def f(xs):\n${fill("  xs.clear()\n")}`,
])("looks for shared state in a large text", (text) => {
  expect(findSharedState("", text, "assert f(1) == 2\n")).toBeNull();
});
