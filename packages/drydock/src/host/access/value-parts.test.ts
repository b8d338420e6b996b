import { RUNNER_LIMITS } from "@drydock/protocol/runner";
import { expect, it } from "vitest";
import { createValueParts } from "./value-parts.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const part = (text: string, offset: number, total_bytes = 6, key = "k") => ({
  ...{ key, value: base64(text), offset, total_bytes },
});

it("a value is whole when all of its parts are there, in order", () => {
  const take = createValueParts();
  expect([take(part("ab", 0)), take(part("cd", 2)), take(part("ef", 4))]).toEqual([null, null, base64("abcdef")]);
  expect(take({ key: "k", value: base64("x") })).toBe(base64("x"));
});

it.each([
  ["that is missing", part("ef", 4), 2],
  ["that comes again", part("ab", 1), 2],
  ["of another value", part("cd", 2, 6, "other"), 0],
  ["of a value with another size", part("cd", 2, 7), 0],
])("a part %s is refused, and the right one goes on", (_name, wrong, offset) => {
  const take = createValueParts();
  take(part("ab", 0));
  expect(() => take(wrong)).toThrow(
    expect.objectContaining({ code: "invalid_argument", details: { offset } }) as unknown as Error,
  );
  take(part("cd", 2));
  expect(take(part("ef", 4))).toBe(base64("abcdef"));
});

it.each([
  ["more bytes than were announced", part("abcdefg", 0)],
  ["no bytes", part("", 0)],
  ["an offset alone", { key: "k", value: "", offset: 0 }],
  ["a size alone", { key: "k", value: "", total_bytes: 3 }],
])("a part with %s is refused", (_name, wrong) => {
  expect(() => createValueParts()(wrong)).toThrow(
    expect.objectContaining({ code: "invalid_argument" }) as unknown as Error,
  );
});

it("a value that is too large is refused with its first part, before anything is kept", () => {
  const take = createValueParts();
  expect(() => take(part("ab", 0, RUNNER_LIMITS.storageValueBytes + 1))).toThrow(/at most/);
  expect(() => take(part("cd", 2, RUNNER_LIMITS.storageValueBytes + 1))).toThrow(/at most/);
});

it("a value that begins takes the place of one that was not finished", () => {
  const take = createValueParts();
  take(part("ab", 0));
  take(part("xy", 0, 4, "other"));
  expect(take(part("zz", 2, 4, "other"))).toBe(base64("xyzz"));
  expect(() => take(part("cd", 2))).toThrow(/begins at 0/);
});
