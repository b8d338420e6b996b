import { expect, it } from "vitest";
import { readRows } from "./read-rows.ts";

it("a list of records is a table, with every column that occurs; anything else is none", () => {
  expect(
    readRows([
      { a: 1, b: "x" },
      { b: null, c: true },
    ]),
  ).toEqual({
    columns: ["a", "b", "c"],
    rows: [
      ["1", "x", ""],
      ["", "", "true"],
    ],
    total: 2,
  });
  expect(readRows(Array.from({ length: 500 }, (_, at) => ({ at })))).toMatchObject({
    total: 500,
    rows: { length: 200 },
  });
  for (const value of [[], [1], [{ a: {} }], [{}], [{ a: 1 }, null], { a: 1 }, "text"]) {
    expect([value, readRows(value)]).toEqual([value, null]);
  }
});
