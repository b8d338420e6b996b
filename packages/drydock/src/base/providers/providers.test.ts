import { expect, it } from "vitest";
import { PROVIDERS, SUGGESTIONS } from "./index.ts";

it("each provider has a name of its own", () => {
  expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
});

it("a model that is suggested has a price", () => {
  expect(SUGGESTIONS.length).toBeGreaterThan(0);
  expect(SUGGESTIONS.filter(({ provider: { prices, suggestedModel = "" } }) => !(suggestedModel in prices))).toEqual(
    [],
  );
});

it("a provider that needs a key says what its keys look like", () => {
  expect(PROVIDERS.filter(({ keyVariable, keyFormat }) => keyVariable && !keyFormat)).toEqual([]);
  const formats = PROVIDERS.flatMap(({ keyFormat }) => keyFormat ?? []);
  expect(formats.filter(({ begins }) => !/^[\w-]{3,}$/.test(begins))).toEqual([]);
  // An unbounded repetition would make the search slow on hostile text.
  expect(formats.filter(({ continues }) => /[*+]|,\}/.test(continues.replaceAll(/\[[^\]]*\]/g, "")))).toEqual([]);
});
