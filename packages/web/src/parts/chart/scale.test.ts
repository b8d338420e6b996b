import { describe, expect, it } from "vitest";
import { drawLine, findLonely, placeValue, roundUp } from "./scale.ts";

describe("the scale of a chart", () => {
  it("ends with a round number at or above the highest value", () => {
    expect([0, 1, 3, 7, 10, 11, 260, 0.03].map(roundUp)).toEqual([1, 1, 5, 10, 10, 20, 500, 0.05]);
    expect([Number.NaN, -4].map(roundUp)).toEqual([1, 1]);
  });

  it("puts zero at the bottom, and what is above the top at the top", () => {
    expect([0, 5, 10, 40].map((value) => placeValue(value, 10, 100))).toEqual([100, 50, 0, 0]);
  });

  it("draws no line over a gap, and knows the values that stand alone", () => {
    const values = [1, 2, null, 3, null];
    expect(
      drawLine(
        values,
        (x) => x,
        (y) => y,
      ),
    ).toBe("M0.0 1.0L1.0 2.0M3.0 3.0");
    expect(findLonely(values)).toEqual([3]);
  });
});
