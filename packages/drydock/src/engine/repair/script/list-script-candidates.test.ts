import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { listScriptCandidates } from "./list-script-candidates.ts";

const list = (text: string) => {
  const weights = new Map(text.split("\n").map((_, index) => [index + 1, 1]));
  return listScriptCandidates([{ path: "a.js", text, weights }], { strings: [], numbers: [] }, 1, 12_000);
};
const repeat = (count: number, separator: string, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(separator);

/** Each of these has more possible edits than fit into the memory: a million places, and a thousand things to put there. */
const ENDLESS: [string, string][] = [
  [
    "a function with thousands of variables",
    `export function f(a) {\n${repeat(5000, "\n", (at) => `  let v${at} = a;`)}\n  return [${repeat(5000, ", ", (at) => `v${at}`)}];\n}\n`,
  ],
  [
    "thousands of statements on one line",
    `export function f(a) { ${repeat(5000, " ", (at) => `if (a === ${at}) return "s${at}";`)} }\n`,
  ],
];

test.each(ENDLESS)(
  "%s is listed in part, and others have their turn meanwhile",
  { timeout: 60_000 },
  async (_, text) => {
    let isListed = false;
    const listing = list(text).finally(() => {
      isListed = true;
    });
    let turns = 0;
    while (!isListed) {
      await setImmediate();
      turns += 1;
    }
    expect((await listing).length).toBeGreaterThan(1000);
    expect(turns).toBeGreaterThan(10);
  },
);

test("of too many lines, the most suspicious are listed, wherever they are", async () => {
  const text = `${repeat(4000, "\n", (at) => `f(${at});`)}\nexport const add = (a, b) => a - b;\n`;
  const weights = new Map(text.split("\n").map((line, at) => [at + 1, line.startsWith("export") ? 1 : 0.1]));
  const listed = await listScriptCandidates([{ path: "a.js", text, weights }], { strings: [], numbers: [] }, 1, 50);
  expect(listed.map(({ line }) => line)).toContain(4001);
});
