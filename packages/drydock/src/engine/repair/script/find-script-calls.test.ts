import { expect, test } from "vitest";
import { makeDirectory, readDirectoryTree } from "../../verify/testing/directory-tree.ts";
import { findScriptCalls, varyScriptCalls } from "./find-script-calls.ts";

test("a call with a table of numbers is not varied: each variation would be as long", async () => {
  const table = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => at));
  const tree = readDirectoryTree(
    makeDirectory({
      "a.js": "export function sum(values) {}\n",
      "a.test.js": `import { sum } from "./a.js";\nsum([1, 2]);\nsum(${table});\n`,
    }),
  );
  const calls = await findScriptCalls(tree, ["a.js"]);
  expect(calls).toEqual([{ file: 0, name: "sum", args: "[[1,2]]" }]);
  expect(varyScriptCalls(calls, 1).length).toBeGreaterThan(1);
});
