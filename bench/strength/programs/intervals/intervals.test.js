import assert from "node:assert/strict";
import test from "node:test";
import { contains, covered, gaps, merge } from "./intervals.js";

test("merges what overlaps", () => {
  assert.deepEqual(
    merge([
      [5, 7],
      [1, 3],
      [2, 4],
    ]),
    [
      [1, 4],
      [5, 7],
    ],
  );
  assert.deepEqual(
    merge([
      [1, 9],
      [2, 3],
    ]),
    [[1, 9]],
  );
  assert.deepEqual(merge([]), []);
});
test("refuses what is upside down", () => assert.throws(() => merge([[3, 1]]), RangeError));
test("counts what is covered", () =>
  assert.equal(
    covered([
      [0, 2],
      [1, 5],
      [10, 11],
    ]),
    6,
  ));
test("knows its points", () => {
  assert.equal(contains([[1, 3]], 2), true);
  assert.equal(contains([[1, 3]], 3), false);
  assert.equal(contains([[1, 3]], 0), false);
});
test("finds gaps", () => {
  assert.deepEqual(
    gaps(
      [
        [2, 4],
        [6, 8],
      ],
      0,
      10,
    ),
    [
      [0, 2],
      [4, 6],
      [8, 10],
    ],
  );
  assert.deepEqual(gaps([[0, 10]], 2, 8), []);
});
