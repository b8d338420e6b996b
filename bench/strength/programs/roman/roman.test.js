import assert from "node:assert/strict";
import test from "node:test";
import { fromRoman, toRoman } from "./roman.js";

test("writes", () => {
  assert.equal(toRoman(1994), "MCMXCIV");
  assert.equal(toRoman(448), "CDXLVIII");
  assert.equal(toRoman(3999), "MMMCMXCIX");
  assert.equal(toRoman(1), "I");
});
test("refuses", () => {
  for (const wrong of [0, 4000, 1.5]) assert.throws(() => toRoman(wrong), { message: "out of range" });
});
test("reads", () => {
  assert.equal(fromRoman("mcmxciv"), 1994);
  assert.equal(fromRoman("DCL"), 650);
  assert.equal(fromRoman("IIII"), null);
  assert.equal(fromRoman(""), null);
  assert.equal(fromRoman("X1"), null);
});
