import { describe, expect, it } from "vitest";
import { looksLikeCode } from "../../../tasks/index.ts";
import { findOpenPart } from "./find-open-part.ts";
import { readInput } from "./read-input.ts";

const context = {
  language: "python",
  agents: new Set(["short"]),
  variables: new Set(["x", "df"]),
  hasModel: true,
} as const;

describe("code and words", () => {
  it.each([
    "6 * 7",
    "x",
    "x and not x",
    "print('hello there, you two')",
    "import numpy as np",
    "from math import pi",
    "df.head()",
    "df.columns",
    "a = 'it''s'",
    "for i in range(3): print(i)",
    "def f(a, b):\n    return a\n\nf(1, 2)",
    "[n for n in range(10) if n % 2]",
    "'a text'",
    "# only a comment",
    "x = 1\ny = 2",
    "f'{x} and {x}'",
    '"""\nlong text here\n"""',
    "await fetch()",
    "del x",
    "1",
  ])("takes %j for code", (text) => {
    expect(looksLikeCode(text, "python", context.variables)).toBe(true);
  });

  it.each([
    "hello",
    "Hello, world",
    "what is a dry dock?",
    "what is love",
    "print the first 10 primes",
    "compute 2 + 2",
    "2 + 2?",
    "the average of [1, 2, 3]",
    "it's raining",
    "don't",
    "thanks :)",
    "sort df by age (descending)",
    "Summarize: what is new",
    "not sure",
    "in words {{ 7 | times: 6 }} please",
    "for (all) of us: hello",
    "naïve Bayes erklären",
    "東京 の 天気",
  ])("takes %j for words", (text) => {
    expect(looksLikeCode(text, "python", context.variables)).toBe(false);
  });

  it("knows the other language's words", () => {
    expect(looksLikeCode("const a = 1", "node")).toBe(true);
    expect(looksLikeCode("let a", "node")).toBe(true);
    expect(looksLikeCode("new Map()", "node")).toBe(true);
    expect(looksLikeCode("let us begin", "node")).toBe(false);
  });
});

describe("what was typed", () => {
  it.each([
    ["", { kind: "nothing" }],
    ["/session rollback 2", { kind: "command", name: "session", rest: "rollback 2", line: "/session rollback 2" }],
    ["execute print(1)", { kind: "code", code: "print(1)" }],
    ["execute the first 10 primes", { kind: "task", words: "the first 10 primes" }],
    ['await short("a b")', { kind: "call", agent: "short", source: '("a b")', variable: null }],
    ['short("a)b");', { kind: "call", agent: "short", source: '("a)b");', variable: null }],
    ["y = await short(x)", { kind: "call", agent: "short", source: "(x)", variable: "y" }],
    ["short(x) + 1", { kind: "code", code: "short(x) + 1" }],
    ["other(1)", { kind: "code", code: "other(1)" }],
    ["const a = agent({})", { kind: "define", name: "a", source: "({})" }],
    ["agent ({})", { kind: "define", name: null, source: "({})" }],
    ["tell me a joke", { kind: "chat", words: "tell me a joke" }],
  ])("reads %j", (text, input) => {
    expect(readInput(text, context)).toEqual(input);
  });
});

describe("a line that is not the end", () => {
  it.each([
    "f(",
    "x = [1,",
    "if x:",
    "if x:\n    y = 1",
    "for i in range(3):  # so",
    "def f(\n    a):",
    "class A:\n    def f(self):\n        pass",
    "@decorated",
    "x = 1 + \\",
    '"""begun',
    '"""begun\n\n',
    "agent({",
    "agent({ prompt: `a\n\n{{ b }}",
    "execute if x:",
    "/execute f(",
  ])("%j goes on", (text) => {
    expect(findOpenPart(text, "python")).not.toBeNull();
  });

  it.each([
    "x = 1",
    "x = {1: 2}",
    "if x: y = 1",
    "if x:\n    y = 1\n",
    "f(\n",
    "f(1,\n2)",
    "tell me (please",
    "Note the following:",
    "agent({ name: 'a' })",
    "agent({\n",
    "/help (",
    "'a: '",
  ])("%j has ended", (text) => {
    expect(findOpenPart(text, "python")).toBeNull();
  });
});

it.each([
  ["foo", "code"],
  ["größe", "code"],
  ["foo;", "code"],
  ["foo bar", "chat"],
  ["foo?", "chat"],
])("without a model, %j is read as %s", (text, kind) => {
  expect(readInput(text, { ...context, hasModel: false }).kind).toBe(kind);
  expect(readInput(text, context).kind).toBe("chat");
});
