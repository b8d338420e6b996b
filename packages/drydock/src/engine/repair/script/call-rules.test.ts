import { expect, test } from "vitest";
import { applySplices } from "../../source/splice.ts";
import { listScriptCandidates } from "./list-script-candidates.ts";

const listTexts = async (text: string) => {
  const weights = new Map(text.split("\n").map((_, index) => [index + 1, 1]));
  const listed = await listScriptCandidates([{ path: "a.js", text, weights }], { strings: [], numbers: [] }, 1, 5000);
  return listed.map((edit) => applySplices(text, [edit]));
};

test.each(["hasOwnProperty", "valueOf", "toLocaleString", "constructor", "__proto__"])(
  "a call of %s, which every object has, is edited like any other",
  async (name) => {
    const text = `const has = (x, k) => x.${name}(k);\n`;
    expect(await listTexts(text)).toContain(`const has = (x, k) => x.${name}();\n`);
  },
);

test("a call gets the argument that is usual for its name", async () => {
  expect(await listTexts("const order = (xs) => xs.sort();\n")).toContain(
    "const order = (xs) => xs.sort((a, b) => a - b);\n",
  );
});
