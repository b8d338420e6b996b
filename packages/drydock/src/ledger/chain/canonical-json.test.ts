import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, MAX_DEPTH } from "./canonical-json.ts";

test("one value has one spelling, whatever order its keys came in", () => {
  expect(canonicalJson({ b: 1, a: [{ d: null, c: "é\n" }] })).toBe('{"a":[{"c":"é\\n","d":null}],"b":1}');
  expect(canonicalJson({ a: undefined, b: Number.NaN, c: -0, d: 1e21, e: 10n })).toBe(
    '{"b":null,"c":0,"d":1e+21,"e":"10"}',
  );
});

test("it says what JSON says, and says it again after a round trip", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test("a key named __proto__ is a key like any other", () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
});

test("hostile nesting is cut off instead of exhausting the stack", () => {
  const text = canonicalJson(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)));
  expect(text).toBe(`${"[".repeat(MAX_DEPTH)}"[nested too deep]"${"]".repeat(MAX_DEPTH)}`);
});
