import { expect, test } from "vitest";
import { readCode } from "./read-code.ts";

test("the block of the language is taken, with the name that it has", () => {
  const text = "First:\n```json\n{}\n```\nThen:\n```python load-data\nx = 1\n```\nDone.";
  expect(readCode(text, "python")).toEqual({ code: "x = 1\n", name: "load-data" });
});

test("several blocks are one program", () => {
  expect(readCode("```py\na = 1\n```\nand\n```py\nb = a\n```", "python")?.code).toBe("a = 1\n\nb = a\n");
});

test("a fence within the code does not end it", () => {
  const code = 'text = """\n```\nnot the end\n```\n"""\n';
  expect(readCode(`\`\`\`\`python\n${code}\`\`\`\``, "python")?.code).toBe(code);
});

test("bare code is code, and prose is none", () => {
  expect(readCode("x = 1\nprint(x)", "python")?.code).toBe("x = 1\nprint(x)");
  expect(readCode("I can't do that.", "python")).toBeNull();
  expect(readCode("", "python")).toBeNull();
});

test("half a program is none", () => {
  expect(readCode("```python\nx = 1\nfor i in", "python")).toBeNull();
});

test("a block of another language is not run as this one", () => {
  expect(readCode("```bash\nrm -rf .\n```", "python")).toBeNull();
});

test("a name that is no name is left out", () => {
  expect(readCode("```python ../../x\n1\n```", "python")).toEqual({ code: "1\n", name: null });
});
