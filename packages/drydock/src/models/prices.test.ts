import { expect, test } from "vitest";
import { findPrice } from "./prices.ts";
import { addUsage, NO_USAGE, priceUsage } from "./usage.ts";

test("a version of a known model has its price, an unknown model has none", () => {
  const price = findPrice("anthropic/claude-sonnet-4-5");
  expect(price).toMatchObject({ input: 3, output: 15 });
  expect(findPrice("anthropic/claude-sonnet-4-5-20250929")).toEqual(price);
  expect(findPrice("openai/gpt-4o-2024-08-06")).toMatchObject({ input: 2.5 });
  expect(findPrice("openai/gpt-99")).toBeNull();
  expect(findPrice("openai/constructor")).toBeNull();
  expect(findPrice("elsewhere/claude-sonnet-4-5")).toBeNull();
  expect(findPrice("ollama/llama3")).toEqual({ input: 0, output: 0 });
});

test("the owner's prices win, for one model or for all of a provider", () => {
  const own = { "openai/gpt-4o": { input: 1, output: 1 }, "local/*": { input: 0, output: 0 } };
  expect(findPrice("openai/gpt-4o", own)).toEqual({ input: 1, output: 1 });
  expect(findPrice("openai/gpt-4o-mini", own)).toMatchObject({ input: 0.15 });
  expect(findPrice("local/anything", own)).toEqual({ input: 0, output: 0 });
});

test("cached input and input put into the cache have prices of their own", () => {
  const price = { input: 10, output: 100, cachedInput: 1, cacheWrite: 20 };
  const count = { input: 1_000_000, output: 10_000, cacheRead: 500_000, cacheWrite: 100_000 };
  expect(priceUsage(count, price)).toEqual({
    inputTokens: 1_000_000,
    outputTokens: 10_000,
    cachedInputTokens: 500_000,
    costUsd: expect.closeTo(4 + 0.5 + 2 + 1, 9),
  });
});

test("a sum with one unknown cost has an unknown cost", () => {
  const known = { ...NO_USAGE, inputTokens: 5, costUsd: 1 };
  const unknown = { ...NO_USAGE, inputTokens: 5, costUsd: null };
  expect(addUsage(known, unknown).costUsd).toBeNull();
  expect(addUsage(NO_USAGE, unknown).costUsd).toBeNull();
  expect(addUsage(known, { ...unknown, inputTokens: 0 }).costUsd).toBe(1);
});
