import fc from "fast-check";

export interface JsonSchema {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  minLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export interface Hints {
  /** The shapes that `$ref` names. */
  shapes: Readonly<Record<string, JsonSchema>>;
  /** Values for properties of these names, in the place of random ones. */
  named: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

const MAX_DEPTH = 6;

/** Values that a schema describes, hostile ones among them. */
export function arbitraryFromSchema(schema: JsonSchema, hints: Hints, depth = 0): fc.Arbitrary<unknown> {
  const inner = (each: JsonSchema) => arbitraryFromSchema(each, hints, depth + 1);
  if (depth > MAX_DEPTH) return fc.constant(null);
  if (schema.$ref !== undefined) return inner(hints.shapes[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  switch (schema.type) {
    case "object":
      return describeObject(schema, hints, inner);
    case "array":
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: (schema.minItems ?? 0) + 2,
      });
    case "string":
      return describeString(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 50, 1_000_000) });
    case "number":
      return fc.double({
        min: schema.exclusiveMinimum ?? schema.minimum ?? -5,
        max: schema.maximum ?? 50,
        noNaN: true,
      });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function describeObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  { named }: Hints,
  inner: (each: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, named[name] ?? inner(each)]),
  );
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (typeof additionalProperties !== "object") return known;
  const others = fc.dictionary(fc.string({ maxLength: 8 }), inner(additionalProperties), { maxKeys: 2 });
  return fc.tuple(known, others).map(([one, more]) => ({ ...more, ...one }));
}

function describeString({ pattern, minLength = 0 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const maxLength = minLength + 12;
  return fc.oneof(
    fc.string({ minLength, maxLength }),
    fc.string({ unit: "binary", minLength, maxLength }),
    fc.constantFrom("\0", "\ud800", "../../etc/passwd", "{{ 7 }}", "-1", "x".repeat(5000)),
  );
}
