import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeFilesCode, writeVariables } from "./write-setup.ts";

function python(code: string): string {
  return execFileSync("python3", ["-c", "import sys; exec(sys.stdin.read())"], { input: code, encoding: "utf8" });
}

test("whatever JSON holds arrives as it is, and nothing else happens", () => {
  const values = fc.sample(fc.dictionary(fc.constantFrom("a", "b_1", "ü"), fc.jsonValue(), { minKeys: 1 }), 40);
  values.push({ a: "\"\\\n\u2028\u0000'''\u007f" }, { a: "'); import os #" }, { a: -0.5e-300 });
  const program = values
    .map(
      (value) =>
        `${writeVariables(value)}print(__import__("json").dumps({${Object.keys(value)
          .map((name) => `"${name}": ${name}`)
          .join(", ")}}))`,
    )
    .join("\n");
  const lines = python(program).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(values.map((value) => JSON.parse(JSON.stringify(value))));
});

test.each([["class"], ["a b"], ["a;b"], ["__import__"], [""], ["1a"]])("%j is refused as a variable's name", (name) => {
  expect(() => writeVariables({ [name]: 1 })).toThrow("not a valid variable name");
});

test("files are written as they are", () => {
  const directory = JSON.stringify(`/tmp/drydock-setup-${process.pid}`);
  const code = `import os, shutil\nos.mkdir(${directory}); os.chdir(${directory})\n`;
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const out = python(
    `${code}${writeFilesCode([{ name: 'a/"b".bin', bytes }])}print(list(open('a/"b".bin', 'rb').read()))\nshutil.rmtree(${directory})`,
  );
  expect(JSON.parse(out)).toEqual([...bytes]);
});
