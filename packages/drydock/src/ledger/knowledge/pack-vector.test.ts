import { expect, it } from "vitest";
import { compareVectors, packVector } from "./pack-vector.ts";

/** The same numbers in each run. */
function makeVectors(count: number, length: number): Float32Array[] {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length }, next);
    const size = Math.hypot(...vector);
    return vector.map((value) => value / size);
  });
}

it("ranks packed vectors as whole ones, but for near ties", () => {
  const [query = new Float32Array(), ...vectors] = makeVectors(1000, 384);
  const cosine = (vector: Float32Array) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
  const best = (score: (vector: Float32Array) => number) =>
    vectors
      .map((vector, index) => ({ index, score: score(vector) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 20)
      .map(({ index }) => index);
  const packed = best((vector) => compareVectors(query, packVector(vector)) ?? 0);
  const whole = new Set(best(cosine));
  // Random vectors are the hardest case: all of them are nearly ties.
  expect(packed.filter((index) => whole.has(index)).length).toBeGreaterThanOrEqual(18);
  expect(packed[0]).toBe(best(cosine)[0]);
});

it("does not compare vectors of different lengths, and survives one of zeros", () => {
  const [vector = new Float32Array()] = makeVectors(1, 8);
  expect(compareVectors(vector, packVector(vector.slice(1)))).toBeNull();
  expect(compareVectors(vector, packVector(new Float32Array(8)))).toBe(0);
  expect(compareVectors(vector, packVector(vector))).toBeCloseTo(1, 2);
});
