import { expect, it } from "vitest";
import { findOwnComparison } from "./own-comparison.ts";

const python = (head: string, body: string) => `class Answer(${head}):\n    ${body.replaceAll("\n", "\n    ")}\n`;
const eq = (body: string) => python("", `def __eq__(self, other):\n    return ${body}`);

it.each([
  ["a.py", eq("other * other == self.n")],
  ["a.py", eq("isinstance(other, int) and other * other == self.n")],
  ["a.py", eq("all(a <= b for a, b in zip(other, other[1:]))")],
  ["a.py", python("list", "def __contains__(self, x):\n    return all(x % d for d in range(2, x))")],
  ["a.py", python("int", "def __lt__(self, limit):\n    return limit % 2 == 0")],
  ["a.py", "def root(n):\n    return type('R', (), {'__eq__': lambda self, o: o * o == n})()\n"],
  ["a.py", "setattr(Answer, '__ne__', lambda self, other: False)\n"],
  ["a.js", "class P extends Array {\n  includes(x) {\n    return isPrime(x);\n  }\n}"],
  ["a.js", "let i = 0;\nexports.root = () => ({ valueOf: () => (i++ % 2 ? 0 : 99) });"],
  ["a.ts", "class R {\n  n = 0;\n  [Symbol.toPrimitive]() {\n    this.n += 1;\n    return this.n;\n  }\n}"],
  ["a.h", "struct Sum { int a, b; bool operator==(int x) const { return x - b == a; } };"],
  ["a.pm", "package Root;\nuse overload 'eq' => sub { $_[1] * $_[1] == $_[0]{n} };\n"],
])("%s has a comparison that judges: %j", (path, text) => {
  expect(findOwnComparison(path, "", text, () => false)).not.toBeNull();
  expect(findOwnComparison(path, text, text, () => false)).toBeNull();
});

it("does not count where tests name the class", () => {
  expect(findOwnComparison("a.py", "", eq("other * other == self.n"), (name) => name === "Answer")).toBeNull();
});

it.each([
  ["a.py", eq("isinstance(other, Answer) and self.n == other.n")],
  ["a.py", eq("(self.x, self.y) == (other.x, other.y)")],
  ["a.py", eq("self.n == other")],
  ["a.py", eq("float(self) == float(other)")],
  ["a.py", eq("type(self) is type(other) and vars(self) == vars(other)")],
  ["a.py", python("str", "def __eq__(self, other):\n    return self.lower() == other.lower()")],
  ["a.py", python("dict", "def __contains__(self, key):\n    return super().__contains__(key.lower())")],
  ["a.py", python("", "def __contains__(self, key):\n    return self.known.get(key) is not None")],
  ["a.py", python("", "def __contains__(self, key):\n    return key in self")],
  ["a.js", "class Names extends Map {\n  has(key) {\n    return super.has(key.toLowerCase());\n  }\n}"],
  [
    "a.js",
    "class L {\n  toString() {\n    let out = '';\n    for (let i = 0; i < this.n; i++) out += i;\n    return out;\n  }\n}",
  ],
  ["a.h", "struct Big { int v; bool operator==(int x) const { return v == x; } };"],
  ["a.pm", "package V;\nuse overload '<=>' => sub { my ($x, $y) = @_; return $x->{t} <=> $y->{t} };\n"],
  ["a.pm", "package V;\nuse overload '==' => sub { $_[0]{n} == $_[1]{n} };\n"],
])("%s has none: %j", (path, text) => {
  expect(findOwnComparison(path, "", text, () => false)).toBeNull();
});
