import { expect, it } from "vitest";
import { createQuantities } from "./quantities.ts";

const NOON = "2026-03-01T12:00:00.000Z";
const now = Date.parse(NOON);

it("says how long ago something was, in the words of the language", () => {
  expect(createQuantities("en").ago(NOON, now + 180_000)).toBe("3 min. ago");
  expect(createQuantities("ja").ago(NOON, now + 180_000)).toBe("3 分前");
});

it("never puts what has happened into the future", () => {
  expect(createQuantities("en").ago(NOON, now - 6000)).toBe("now");
});
