import assert from "node:assert/strict";
import { test } from "node:test";
import { median } from "../src/median.js";
import { describeTide } from "../src/tide.js";

test("of an odd number of values, the one in the middle", () => {
  assert.equal(median([95, 412, 388]), 388);
});

test("of an even number of values, the mean of the two in the middle", () => {
  assert.equal(median([100, 9, 80, 20]), 50);
});

test("below zero", () => {
  assert.equal(median([-30, -4, -100]), -30);
});

test("the values stay in their order", () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test("of nothing, none", () => {
  assert.throws(() => median([]), RangeError);
});

test("a tide", () => {
  assert.equal(describeTide("Bremen", [95, 412, 388]), "Bremen: usually 388 cm, at most 412 cm");
});
