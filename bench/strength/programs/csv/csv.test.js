import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { format, parse, parseLine } from "./csv.js";

describe("parseLine", () => {
  it("splits", () => assert.deepEqual(parseLine("a,b,,c"), ["a", "b", "", "c"]));
  it("knows quotes", () => assert.deepEqual(parseLine('"a,b","say ""hi"""'), ["a,b", 'say "hi"']));
  it("takes another separator", () => assert.deepEqual(parseLine("a;b", ";"), ["a", "b"]));
  it("refuses an open quote", () => assert.throws(() => parseLine('"a'), SyntaxError));
});
describe("parse", () => {
  it("names fields", () =>
    assert.deepEqual(parse("x, y\n1,2\n\n3\n"), [
      { x: "1", y: "2" },
      { x: "3", y: "" },
    ]));
  it("can go without names", () => assert.deepEqual(parse("1,2", { header: false }), [["1", "2"]]));
});
it("formats", () =>
  assert.equal(
    format([
      ["a", 1],
      ['say "hi"', "x,y"],
    ]),
    'a,1\n"say ""hi""","x,y"',
  ));
