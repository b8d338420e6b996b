import { expect, test } from "vitest";
import { readWorker } from "./read-worker.ts";

const read = (spec: string[] | null, options: object) => () => readWorker({ workspace: "/w", ...options }, { spec });

test.each([
  [{ bestOf: 2 }, "--best-of needs a language model, but this run uses repair."],
  [{ thenRepair: true }, "--then-repair needs a language model, but this run uses repair."],
  [{ way: "writes" }, "--way needs a language model, but this run uses repair."],
  [{ budget: { tokens: 5 } }, "--budget-tokens needs a language model, but this run uses repair."],
  [{ budget: { usd: 5 } }, "--budget-usd needs a language model, but this run uses repair."],
])("repair refuses what only a model could heed: %o", (options, message) => {
  expect(read(null, options)).toThrow(message);
  expect(read(["openai/x"], options)).not.toThrow();
});

test.each([
  [{ seconds: 5 }, "--repair-seconds has no effect without repair."],
  [{ seed: 5 }, "--repair-seed has no effect without repair."],
  [{ candidates: 5 }, "A limit of candidates has no effect without repair."],
])("a model without repair refuses the bounds of a search: %o", (repair, message) => {
  expect(read(["openai/x"], { repair })).toThrow(message);
  expect(read(["openai/x"], { repair, thenRepair: true })).not.toThrow();
  expect(read(null, { repair })).not.toThrow();
});

test("options that were left out are no options", () => {
  const left = { way: undefined, budget: {}, thenRepair: false, bestOf: 1 };
  expect(read(null, left)).not.toThrow();
  expect(read(["openai/x"], { repair: { seconds: undefined, seed: undefined } })).not.toThrow();
});

test("a number out of range names its option", () => {
  expect(read(["openai/x"], { bestOf: 99 })).toThrow("--best-of can't be 99.");
});
