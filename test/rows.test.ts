import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readResults, writePage } from "../demo/rows/page.ts";
import type { findFault } from "../demo/rows/row.ts";
import { runRow } from "../demo/rows/run-row.ts";
import { startScriptedModel } from "../demo/rows/scripted-model.ts";
import { GROUPS, ROWS } from "../demo/rows/table/index.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/mission-rows.md"), "utf8");

describe("the page of rows", () => {
  it("has the rows of the table, each with a result that was measured", () => {
    const results = readResults(page);
    expect([...results.keys()]).toEqual(ROWS.map(({ id }) => id));
    expect(writePage(GROUPS, results)).toBe(page);
  });

  it("has every row, in order", () => {
    const count = (letter: string, rows: number) => Array.from({ length: rows }, (_, at) => `${letter}${at + 1}`);
    const all = [count("A", 11), count("B", 12), count("C", 8), count("D", 9), count("X", 7)].flat();
    expect(ROWS.map(({ id }) => id)).toEqual(all);
  });

  it("names no gap that its row does not know", () => {
    const known = new Map(ROWS.map(({ id, gaps = [] }) => [id, gaps.map(({ what }) => what)]));
    const named = [...readResults(page)].flatMap(([id, result]) =>
      result.startsWith("in part: ") && !known.get(id)?.some((what) => result.includes(what)) ? [id] : [],
    );
    expect(named).toEqual([]);
  });
});

describe("a row", () => {
  it.each(["A7", "B11", "C2"])("%s works when its command is run", { timeout: 60_000 }, async (id) => {
    const row = ROWS.find((each) => each.id === id);
    if (!row) throw new Error(`There is no row ${id}.`);
    const model = await startScriptedModel();
    try {
      const { text, outcome } = await runRow(row, model.variables);
      expect(text, outcome.output).toBe("works");
    } finally {
      await model.close();
    }
  });

  it("fails if its command prints something else, what it must not, or ends otherwise", async () => {
    const row = { id: "A0", gives: "", command: "echo one; exit 3" };
    const run = async (expected: Parameters<typeof findFault>[0]) =>
      (await runRow({ ...row, expect: expected }, {})).text;
    expect(await run({ prints: ["one"], status: 3 })).toBe("works");
    expect(await run({ prints: ["two"], status: 3 })).toBe('fails: the output has no "two"');
    expect(await run({ prints: [], never: [/o.e/], status: 3 })).toBe("fails: the output has /o.e/");
    expect(await run({ prints: ["one"] })).toBe("fails: the exit status is 3, not 0");
  });

  it("says what is missing as long as that is seen", async () => {
    const row = { id: "A0", gives: "", command: "echo one", expect: { prints: ["one"] } };
    const gap = { what: "two", command: "echo three" };
    expect((await runRow({ ...row, gaps: [{ ...gap, seen: /three/ }] }, {})).text).toBe("in part: two");
    expect((await runRow({ ...row, gaps: [{ ...gap, seen: /four/ }] }, {})).text).toBe("works");
  });
});
