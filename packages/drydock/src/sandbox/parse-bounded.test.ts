import { expect, it } from "vitest";
import { parseBounded } from "./parse-bounded.ts";

const BOUNDS = { length: 100, depth: 3, values: 10 };
const parse = (text: string) => {
  const value = parseBounded(Buffer.from(text), BOUNDS);
  expect(parseBounded(text, BOUNDS)).toEqual(value);
  return value;
};

it.each([
  ["null", null],
  ['{"a":[1,{"b":"[[[[,,,,{{{{"}]}', { a: [1, { b: "[[[[,,,,{{{{" }] }],
  [String.raw`["\"[[[[", "\\", "x\\\"[["]`, ['"[[[[', "\\", 'x\\"[[']],
  ["[1,2,3,4,5,6,7,8]", [1, 2, 3, 4, 5, 6, 7, 8]],
])("reads %s", (text, value) => {
  expect(parse(text)).toEqual(value);
});

it.each([
  ["too deep", "[[[[1]]]]"],
  ["too deep in objects", '{"a":{"b":{"c":{}}}}'],
  ["too many values", "[1,2,3,4,5,6,7,8,9,10]"],
  ["too many lists", "[[],[],[],[],[],[]]"],
  ["too long", `"${"x".repeat(100)}"`],
  ["cut", '{"a":'],
  ["a string without an end", '"\\'],
  ["nothing", ""],
  ["no JSON", "hello"],
])("does not read what is %s", (_, text) => {
  expect(parse(text)).toBeUndefined();
});
