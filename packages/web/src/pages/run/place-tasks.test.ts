import { expect, it } from "vitest";
import { placeTasks } from "./place-tasks.ts";

const place = (plan: Record<string, string[]>) =>
  Object.fromEntries(
    placeTasks(Object.entries(plan).map(([id, dependsOn]) => ({ id, dependsOn }))).map(({ id, column, row }) => [
      id,
      [column, row],
    ]),
  );

it("stands each task behind all that it depends on", () => {
  expect(place({ d: ["b", "c"], b: ["a"], c: [], a: [] })).toEqual({ c: [0, 0], a: [0, 1], b: [1, 0], d: [2, 0] });
});

it("draws a plan that can't be carried out, too", () => {
  expect(place({ a: ["b"], b: ["a", "nothing"] })).toMatchObject({ a: [1, 0], b: [0, 0] });
  expect(place({})).toEqual({});
});
