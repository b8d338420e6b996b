// biome-ignore-all lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
import { describe, expect, it } from "vitest";
import { validateJson } from "./validate-json.ts";

const DRAFT_04 = "http://json-schema.org/draft-04/schema#";
const DRAFT_06 = "http://json-schema.org/draft-06/schema#";
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";

type Schema = boolean | Record<string, unknown>;
/** Values that satisfy the schema, and values that do not. */
type Case = [name: string, schema: Schema, good: unknown[], bad: unknown[]];

function judge(schema: Schema, instance: unknown) {
  return validateJson({ schema: JSON.stringify(schema), instance: JSON.stringify(instance) });
}

const NODE = {
  $id: "https://example.org/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { children: { items: { $dynamicRef: "#node" } } },
};

const modern: Case[] = [
  ["true", true, [1, null, {}], []],
  ["false", false, [], [1, null, {}]],
  ["no keywords", {}, [1, "x"], []],
  ["type", { type: "integer" }, [1, 1.0, -0], [1.5, "1", null, true]],
  ["several types", { type: ["string", "null"] }, ["a", null], [1, []]],
  ["null is no object", { type: "object" }, [{}], [null, []]],
  ["const", { const: { a: [1, 2] } }, [{ a: [1, 2] }], [{ a: [2, 1] }, { a: [1, 2], b: 1 }]],
  ["const tells false from 0", { const: false }, [false], [0, null]],
  ["enum", { enum: ["a", 1, [null]] }, ["a", 1, [null]], ["A", true, [0]]],
  ["multipleOf with fractions", { multipleOf: 0.01 }, [4.02, 0.07, 19.99], [0.075]],
  ["minimum and maximum", { minimum: 1, maximum: 3 }, [1, 3, "x"], [0.99, 3.01]],
  ["exclusive limits", { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  ["length counts characters", { maxLength: 2 }, ["💩💩"], ["abc"]],
  ["minLength", { minLength: 2 }, ["ab", 1], ["💩"]],
  ["pattern is not anchored", { pattern: "b+" }, ["abc", 7], ["ac"]],
  ["pattern by code points", { pattern: "^.$" }, ["💩"], ["ab"]],
  ["properties", { properties: { a: { type: "number" } } }, [{}, { a: 1, b: "x" }, []], [{ a: "1" }]],
  ["required", { required: ["a"] }, [{ a: null }, []], [{}]],
  ["required and inherited names", { required: ["toString"] }, [{ toString: 1 }], [{}]],
  [
    "a property called __proto__",
    { properties: { __proto__x: { type: "number" } }, required: ["constructor"] },
    [{ constructor: 1 }],
    [{}],
  ],
  ["patternProperties", { patternProperties: { "^n_": { type: "number" } } }, [{ n_a: 1, s: "x" }], [{ n_a: "1" }]],
  [
    "additionalProperties",
    { properties: { a: true }, patternProperties: { "^x": true }, additionalProperties: false },
    [{ a: 1, xy: 2 }],
    [{ b: 1 }],
  ],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  ["minProperties", { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{}, { a: 1, b: 2 }], [{ a: 1 }]],
  ["dependentSchemas", { dependentSchemas: { a: { required: ["c"] } } }, [{ b: 1 }, { a: 1, c: 1 }], [{ a: 1 }]],
  ["items", { items: { type: "string" } }, [[], ["a"]], [["a", 1]]],
  ["prefixItems and items", { prefixItems: [{ type: "number" }], items: false }, [[], [1]], [["x"], [1, 2]]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [[1, "1", true, { a: 1 }, { a: 2 }]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [1, 1.0],
    ],
  ],
  [
    "uniqueItems tells 1 from true",
    { uniqueItems: true },
    [
      [1, true],
      [0, false],
    ],
    [[true, true]],
  ],
  ["minItems and maxItems", { minItems: 1, maxItems: 1 }, [[0]], [[], [1, 2]]],
  ["contains", { contains: { const: 5 } }, [[1, 5]], [[], [1]]],
  [
    "minContains and maxContains",
    { contains: { const: 5 }, minContains: 2, maxContains: 3 },
    [[5, 5]],
    [[5], [5, 5, 5, 5]],
  ],
  ["minContains 0", { contains: { const: 5 }, minContains: 0 }, [[], [1]], []],
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1.5], [0, 3]],
  ["anyOf", { anyOf: [{ type: "string" }, { minimum: 2 }] }, ["x", 2], [1]],
  ["oneOf", { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
  ["not", { not: { type: "string" } }, [1], ["x"]],
  ["if, then, else", { if: { minimum: 0 }, then: { maximum: 9 }, else: { minimum: -9 } }, [5, -5], [10, -10]],
  ["then without if", { then: { const: 1 } }, [2], []],
  ["$ref to $defs", { $ref: "#/$defs/a", $defs: { a: { type: "number" } } }, [1], ["x"]],
  ["$ref beside other keywords", { $ref: "#/$defs/a", maximum: 2, $defs: { a: { type: "number" } } }, [1], [3, "x"]],
  ["escaped pointers", { $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { const: 1 } } }, [1], [2]],
  ["$anchor", { $ref: "#here", $defs: { x: { $anchor: "here", const: 1 } } }, [1], [2]],
  [
    "$id and a relative $ref",
    { $id: "https://example.org/a", $ref: "b", $defs: { x: { $id: "b", const: 1 } } },
    [1],
    [2],
  ],
  [
    "recursion",
    { type: "object", properties: { next: { $ref: "#" } } },
    [{ next: { next: {} } }],
    [{ next: { next: 1 } }],
  ],
  ["$dynamicRef", NODE, [{ children: [{ children: [] }] }], [{ children: [{ children: [1] }] }]],
  [
    "unevaluatedProperties through allOf",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    "unevaluatedProperties through if",
    { if: { required: ["a"] }, then: { properties: { a: true, b: true } }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ b: 1 }],
  ],
  ["unevaluatedItems", { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ["unevaluatedItems after contains", { contains: { const: 1 }, unevaluatedItems: false }, [[1, 1]], [[1, 2]]],
  ["a format is a note, no rule", { format: "email" }, ["nonsense"], []],
  ["content is a note, no rule", { contentMediaType: "application/json" }, ["{"], []],
  ["an unknown keyword", { colour: "red" }, [1], []],
  ["a draft-07 keyword", { dependencies: { a: ["b"] } }, [{ a: 1 }], []],
];

const older: Case[] = [
  [
    "draft-07: items as a list",
    { $schema: DRAFT_07, items: [{ type: "number" }], additionalItems: false },
    [[1]],
    [["x"], [1, 2]],
  ],
  [
    "draft-07: dependencies",
    { $schema: DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } },
    [{ a: 1, b: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    "draft-07: nothing stands beside $ref",
    {
      $schema: DRAFT_07,
      properties: { a: { $ref: "#/definitions/n", maximum: 1 } },
      definitions: { n: { type: "number" } },
    },
    [{ a: 5 }],
    [{ a: "x" }],
  ],
  ["draft-07: if, then", { $schema: DRAFT_07, if: { const: 1 }, then: false }, [2], [1]],
  [
    "draft-07: newer keywords mean nothing",
    { $schema: DRAFT_07, dependentRequired: { a: ["b"] }, prefixItems: [false] },
    [{ a: 1 }, [1]],
    [],
  ],
  [
    "draft-07: $ref at the root beside its definitions",
    { $schema: DRAFT_07, $ref: "#/definitions/a", maximum: 1, definitions: { a: { type: "number" } } },
    [5],
    ["x"],
  ],
  ["draft-06: const and contains", { $schema: DRAFT_06, contains: { const: 1 } }, [[1]], [[2]]],
  [
    "draft-04: exclusiveMaximum is a word on maximum",
    { $schema: DRAFT_04, maximum: 3, exclusiveMaximum: true },
    [2],
    [3],
  ],
  [
    "2019-09: $recursiveRef",
    { $schema: DRAFT_2019, properties: { a: { $recursiveRef: "#" } }, additionalProperties: false },
    [{ a: { a: {} } }],
    [{ a: { b: 1 } }],
  ],
];

describe("a JSON Schema", () => {
  it.each([...modern, ...older])("%s", async (_name, schema, good, bad) => {
    for (const value of good) expect([value, await judge(schema, value)]).toEqual([value, { kind: "valid" }]);
    for (const value of bad) expect([value, await judge(schema, value)]).toMatchObject([value, { kind: "mismatched" }]);
  });

  it("says where a value does not satisfy it, the first place first", async () => {
    const schema = { properties: { rows: { items: { required: ["id"], properties: { id: { type: "integer" } } } } } };
    expect(await judge(schema, { rows: [{ id: 1 }, { id: "x" }, {}] })).toEqual({
      kind: "mismatched",
      count: 2,
      problems: [
        { instance: "/rows/1/id", keyword: "#/properties/rows/items/properties/id/type" },
        { instance: "/rows/2", keyword: "#/properties/rows/items/required" },
      ],
    });
  });

  const unusable: [name: string, schema: Schema, reason: RegExp][] = [
    ["an unknown type", { type: "objekt" }, /^\/type does not satisfy .*meta\/validation#\/properties\/type/],
    ["a keyword with a wrong value", { minimum: "1" }, /^\/minimum does not satisfy/],
    ["a broken pattern", { pattern: "(" }, /Invalid regular expression/],
    ["a reference to nothing", { $ref: "#/$defs/none" }, /./],
    ["a schema that only refers to itself", { $ref: "#" }, /refers to itself without end/],
  ];

  it.each<[string, Schema, string]>([
    ["an unknown dialect", { $schema: "https://example.org/mine" }, "https://example.org/mine"],
    ["a reference to the network", { $ref: "http://127.0.0.1:1/x.json#/a" }, "http://127.0.0.1:1/x.json"],
    ["a reference to a file", { $ref: "file:///etc/passwd" }, "file:///etc/passwd"],
    ["a schema that says it is a file", { $id: "file:///etc/x", $ref: "passwd" }, "https://file.invalid/etc/passwd"],
    ["a relative reference", { $ref: "types/a.json" }, "https://schema.invalid/types/a.json"],
  ])("with %s names what it lacks", async (_name, schema, uri) => {
    expect(await judge(schema, 1)).toEqual({ kind: "unresolved", uri });
  });

  it("takes what it refers to, with the dialect of who refers", async () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const request = {
      schema: JSON.stringify({ $schema, items: { $ref: "pair.json" } }),
      resources: { "https://schema.invalid/pair.json": '{ "items": [{ "type": "integer" }, { "type": "string" }] }' },
    };
    expect(await validateJson({ ...request, instance: '[[1, "a"]]' })).toEqual({ kind: "valid" });
    expect(await validateJson({ ...request, instance: '[["a", 1]]' })).toMatchObject({ kind: "mismatched" });
  });

  it.each<[string, Schema, unknown, unknown]>([
    ["an enum", { enum: [{ $id: "https://a.test/x", type: "null" }] }, { $id: "https://a.test/x", type: "null" }, null],
    ["a const", { const: [{ $anchor: "x" }] }, [{ $anchor: "x" }], [{ $anchor: "y" }]],
    ["a default", { default: { $id: "#broken id" }, type: "string" }, "a", 1],
    ["an unknown keyword", { other: { $id: "https://a.test/x" }, type: "string" }, "a", 1],
  ])("takes an identifier in %s for a word like any other", async (_name, schema, good, bad) => {
    expect(await judge(schema, good)).toEqual({ kind: "valid" });
    expect(await judge(schema, bad)).toMatchObject({ kind: "mismatched" });
  });

  it.each(unusable)("with %s can't be used", async (_name, schema, reason) => {
    expect(await judge(schema, 1)).toEqual({ kind: "bad_schema", reason: expect.stringMatching(reason) });
  });

  it("is not asked about what is no JSON", async () => {
    for (const instance of ["", "{", "nope", "{'a': 1}", "[1,]", "NaN"]) {
      expect(await validateJson({ schema: "true", instance })).toMatchObject({ kind: "no_json" });
    }
  });
});
