import type { CommandRoute } from "@drydock/protocol";
import { registerSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
import { describe, expect, it } from "vitest";
import type { RunnerPorts } from "../../ports.ts";
import { analyzeSchema } from "./analyze-schema.ts";
import { inferSchema } from "./infer-schema.ts";
import { makeCall, makeInput, makePorts } from "./testing/make-call.ts";

type Json = NonNullable<CommandRoute["values"][string]>;

const URI = "https://schema.invalid/test";

const validateJson: RunnerPorts["validateJson"] = async ({ schema, instance }) => {
  registerSchema(JSON.parse(schema), URI, "https://json-schema.org/draft/2020-12/schema");
  try {
    const output = await validate(URI, JSON.parse(instance), "BASIC");
    if (output.valid) return { kind: "valid" };
    const problems = (output.errors ?? []).map((unit) => ({
      instance: unit.instanceLocation.slice(1),
      keyword: unit.absoluteKeywordLocation.replace(URI, ""),
    }));
    return { kind: "mismatched", problems, count: problems.length };
  } finally {
    unregisterSchema(URI);
  }
};
const ports = makePorts({ validateJson });

async function compare(data: unknown, schema: Json) {
  const outcome = await analyzeSchema(makeCall({ data: data as Json, schema }), ports);
  return { text: Buffer.from(outcome.content).toString(), metadata: outcome.metadata };
}

const isValid = async (schema: unknown, value: unknown) =>
  (await validateJson({ schema: JSON.stringify(schema), instance: JSON.stringify(value) })).kind === "valid";

describe("a schema that is made from data", () => {
  it("has unions, what is required, choices and formats", () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({
      id: id === 4 ? id + 0.5 : id,
      state: ["open", "closed"][id % 2],
      at: `2026-01-0${id + 1}T00:00:00Z`,
      day: `2026-01-0${id + 1}`,
      mail: `u${id}@example.org`,
      link: `https://example.org/${id}`,
      key: `0000000${id}-0000-4000-8000-000000000000`,
      parent: id === 0 ? null : `p${id}`,
      ...(id > 5 ? { extra: [1, "a", { deep: true }] } : {}),
    }));
    expect(inferSchema(rows).schema).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "number" },
          state: { type: "string", enum: ["closed", "open"] },
          at: { type: "string", format: "date-time" },
          day: { type: "string", format: "date" },
          mail: { type: "string", format: "email" },
          link: { type: "string", format: "uri" },
          key: { type: "string", format: "uuid" },
          parent: { type: ["string", "null"] },
          extra: {
            type: "array",
            items: {
              type: ["object", "string", "integer"],
              properties: { deep: { type: "boolean" } },
              required: ["deep"],
            },
          },
        },
        required: ["id", "state", "at", "day", "mail", "link", "key", "parent"],
      },
    });
  });

  it("takes no date for one that does not exist", () => {
    expect(inferSchema(["2026-02-30"]).schema.items).toEqual({ type: "string" });
  });

  it.each([
    [{ a: [1, null, "x", [], {}] }],
    [[]],
    [null],
    ["text"],
    [{ __proto__x: 1, constructor: { toString: 2 } }],
    [Object.fromEntries(Array.from({ length: 500 }, (_, id) => [`k${id}`, id % 2 ? id : { x: "y" }]))],
    [[{ a: { b: 1 } }, { a: null }, { a: { c: [1.5] } }]],
  ])("is satisfied by that data: %j", async (value) => {
    expect(await isValid(inferSchema(value).schema, value)).toBe(true);
  });

  it("stays small and ends, however large or deep the data", async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `n${id}`, tags: ["a", "b"] }));
    expect(JSON.stringify(inferSchema(rows).schema).length).toBeLessThan(1000);
    const outcome = await analyzeSchema(makeCall({ data: `${"[".repeat(9000)}${"]".repeat(9000)}` }), ports);
    expect(outcome.notes).toEqual([expect.stringContaining("larger or deeper")]);
  });

  it("is made from a table and from JSON lines as well, and not from prose", async () => {
    const table = await analyzeSchema(
      makeCall({}, { input: makeInput("a,b\n1,x\n2,y\n", { mime: "text/csv" }) }),
      ports,
    );
    expect(JSON.parse(Buffer.from(table.content).toString())).toMatchObject({
      items: { properties: { a: { type: "integer" }, b: { type: "string" } }, required: ["a", "b"] },
    });
    const lines = await analyzeSchema(makeCall({ data: '{"a": 1}\n{"a": null}\n' }), ports);
    expect(lines.metadata.schema).toMatchObject({ items: { properties: { a: { type: ["integer", "null"] } } } });
    await expect(analyzeSchema(makeCall({ data: "Just words." }), ports)).rejects.toMatchObject({
      code: "input.invalid",
    });
  });
});

describe("a comparison with a schema", () => {
  const schema = {
    type: "object",
    properties: {
      users: { type: "array", items: { $ref: "#/$defs/user" } },
      page: { type: "integer" },
    },
    required: ["users", "page"],
    $defs: {
      user: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer" }, born: { type: "string", format: "date" } },
        required: ["name", "age"],
        additionalProperties: false,
      },
    },
  };

  it("says in words, for each place, what is missing, extra or of another type, and what would fail", async () => {
    const data = {
      users: [
        { name: "a", age: "3", born: "May" },
        { name: "b", nick: "c" },
      ],
    };
    const { text, metadata } = await compare(data, schema);
    expect(metadata.valid).toBe(false);
    expect(
      text
        .split("\n")
        .filter((line) => line.startsWith("  "))
        .slice(-5),
    ).toEqual([
      "  page: missing: required by the schema, and not there",
      "  users[].age: missing: required by the schema, and missing in some objects",
      "  users[].age: type: the schema says integer, the data has string",
      "  users[].born: format: the schema says date, the data has texts that are not all of that form",
      "  users[].nick: extra: in the data (string), not in the schema: the schema allows no others",
    ]);
    expect(text).toMatch(/would fail validation, in \d+ places/);
    expect(text).toContain('/users/0/age: does not satisfy type "integer"');
    expect(text).toContain('does not satisfy required ["users","page"]');
  });

  it("finds nothing where there is nothing", async () => {
    const { text, metadata } = await compare({ users: [{ name: "a", age: 3, born: "2026-01-01" }], page: 1 }, schema);
    expect(metadata).toMatchObject({ valid: true, differences: [] });
    expect(text).toBe("The data satisfies the schema.\nNo difference between the schema and the shape of the data.\n");
  });

  it("comes to an end with a schema that refers to itself", async () => {
    const node = { type: "object", properties: { next: { $ref: "#" }, loop: { $ref: "#/properties/loop" } } };
    const { metadata } = await compare({ next: { next: { other: 1 } } }, node);
    expect(metadata.differences).toContainEqual(expect.objectContaining({ path: "next.next.other", kind: "extra" }));
  });

  it("refuses what is no schema", async () => {
    await expect(compare({}, "{")).rejects.toMatchObject({ code: "input.invalid" });
    await expect(compare({}, [])).rejects.toMatchObject({ code: "input.invalid" });
  });
});
