import { expect, it } from "vitest";
import { readJsonSchema } from "./read-json-schema.ts";

it("makes a field of each property, and one of JSON where there is no better control", () => {
  const fields = readJsonSchema({
    type: "object",
    required: ["cron", "missed"],
    properties: {
      cron: { type: "string", maxLength: 200, description: "Such as `0 9 * * *`." },
      missed: { type: "string", enum: ["skip", "all"], default: "skip" },
      text: { type: "string", maxLength: 100_000 },
      most: { type: "integer" },
      share: { type: "number" },
      loud: { type: "boolean", default: false },
      chats: { type: "array", items: { type: "string" } },
      topics: { type: "array", items: { type: "integer" } },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
  });
  expect(fields.map(({ name, kind, isRequired, initial }) => [name, kind, isRequired, initial])).toEqual([
    ["cron", "text", true, undefined],
    ["missed", "select", false, "skip"],
    ["text", "long-text", false, undefined],
    ["most", "integer", false, undefined],
    ["share", "number", false, undefined],
    ["loud", "boolean", false, false],
    ["chats", "list", false, undefined],
    ["topics", "json", false, undefined],
    ["either", "json", false, undefined],
  ]);
  expect(fields[0]?.description).toBe("Such as 0 9 * * *.");
  expect(fields[1]?.options.map(({ value }) => value)).toEqual(["skip", "all"]);
  expect(readJsonSchema({})).toEqual([]);
});
