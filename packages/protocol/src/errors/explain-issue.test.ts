import { describe, expect, it } from "vitest";
import * as z from "zod";
import { explainIssues } from "./explain-issue.ts";

const Shape = z.strictObject({
  count: z.int().min(1).max(9).optional(),
  name: z.string().min(1).max(3).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(["a", "b"]).optional(),
  needed: z.boolean(),
  own: z.string().regex(/x/, "needs an x").optional(),
  form: z.string().regex(/x/).optional(),
  either: z.union([z.string(), z.strictObject({ max: z.number() })]).optional(),
});

describe("what a schema finds wrong", () => {
  it.each([
    [{}, ["needed: is missing; it must be true or false"]],
    [null, ["file: is empty; it must be a map of keys and values"]],
    [[], ["file: must be a map of keys and values, not a list"]],
    [{ needed: null }, ["needed: is empty; it must be true or false"]],
    [{ needed: true, count: "5" }, ["count: must be a number, not text"]],
    [{ needed: true, count: 1.5 }, ["count: must be a whole number"]],
    [{ needed: true, count: 0 }, ["count: must be at least 1"]],
    [{ needed: true, count: 10 }, ["count: must be at most 9"]],
    [{ needed: true, name: "" }, ["name: must not be empty"]],
    [{ needed: true, name: [] }, ["name: must be text, not a list"]],
    [{ needed: true, name: "long" }, ["name: must have at most 3 characters"]],
    [{ needed: true, list: [] }, ["list: must not be empty"]],
    [{ needed: true, list: ["", "", ""] }, ["list: must have at most 2 entries"]],
    [{ needed: true, list: [5] }, ["list.0: must be text, not a number"]],
    [{ needed: true, kind: "c" }, ["kind: must be one of a, b"]],
    [{ needed: true, own: "y" }, ["own: needs an x"]],
    [{ needed: true, form: "y" }, ["form: does not have the right form"]],
    [
      { needed: true, either: 5 },
      ["either: must be text, not a number, or must be a map of keys and values, not a number"],
    ],
    [{ needed: true, either: { max: "x" } }, ["either: max: must be a number, not text"]],
    [{ needed: true, other: 1, more: 2 }, ["file: has unknown keys: other, more"]],
  ])("is said in plain words: %j", (value, problems) => {
    const { error } = Shape.safeParse(value);
    expect(explainIssues(error?.issues ?? [], "file")).toEqual(problems);
  });
});
