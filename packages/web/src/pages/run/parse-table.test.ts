import { expect, it } from "vitest";
import { parseTable } from "./parse-table.ts";

it("reads values, also those with separators, quotes and line breaks in them", () => {
  expect(parseTable('a,b\r\n"1,2","say ""hi""\nthere"\n3,', ",", 10)).toEqual([
    ["a", "b"],
    ["1,2", 'say "hi"\nthere'],
    ["3", ""],
  ]);
  expect(parseTable("1\n2\n3\n", ",", 2)).toEqual([["1"], ["2"]]);
});
