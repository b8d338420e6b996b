import { describe, expect, it } from "vitest";
import { parseScript, walkNodes } from "./parse-script.ts";

function typesOf(path: string, text: string): string[] {
  const program = parseScript(path, text);
  return program ? [...walkNodes(program)].map(({ node }) => node.type) : [];
}

describe("parseScript", () => {
  it.each([
    ["a.ts", "let a = <any>b; enum C { D }", "TSTypeAssertion"],
    ["a.tsx", "const a = <T,>(b: T) => <p>{b}</p>;", "JSXElement"],
    ["a.ts", "class A { constructor(@B() private readonly c: string) {} }", "Decorator"],
    ["a.js", "const a = <p/>; await b;", "AwaitExpression"],
    ["a.js", "function f(a: number): string {}", "FunctionDeclaration"],
    ["a.cjs", "with (a) { return b }", "WithStatement"],
    ["a.js", "let a; let a;", "VariableDeclaration"],
  ])("reads %s: %s", (path, text, type) => {
    expect(typesOf(path, text)).toContain(type);
  });

  it("gives offsets in UTF-16", () => {
    const text = 'const a = "😀"; f(5);';
    const program = parseScript("a.js", text);
    const five = [...walkNodes(program ?? { type: "", start: 0, end: 0 })].find(({ node }) => node.value === 5)?.node;
    expect(text.slice(five?.start, five?.end)).toBe("5");
  });

  it.each([
    ["what does not parse", "a.ts", "if (("],
    ["a file that is too large", "a.js", ";".repeat(2 ** 20 + 1)],
    ["brackets nested deeper than the stack", "a.js", "[".repeat(100_000)],
    ["types nested so that parsing takes exponential time", "a.ts", "<T>(x=".repeat(40)],
    ["the same with conditions", "a.ts", "a ? (b) : (x=".repeat(40)],
  ])("answers null for %s", (_name, path, text) => {
    expect(parseScript(path, text)).toBeNull();
  });

  it("walks a chain of calls that is deeper than the stack", () => {
    expect(typesOf("a.js", `a${".b()".repeat(100_000)}`).length).toBeGreaterThan(100_000);
  });
});
