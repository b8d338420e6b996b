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
      return fc.integer({ min: lowest(schema, 1), max: Math.min(schema.maximum ?? 50, 1000) });
    case "number":
      return fc.double({ min: lowest(schema, 0.01), max: Math.min(schema.maximum ?? 50, 1000), noNaN: true });
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
  // A value of which all is there and all is random is hardly ever valid.
  const rarely = Object.entries(fields).map(([name, value]) => {
    return [
      name,
      required.includes(name) ? value : fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, value),
    ] as const;
  });
  const known = fc.record(Object.fromEntries(rarely));
  if (typeof additionalProperties !== "object") return known;
  const others = fc.dictionary(fc.string({ maxLength: 8 }), inner(additionalProperties), { maxKeys: 2 });
  return fc.tuple(known, others).map(([one, more]) => ({ ...more, ...one }));
}

function lowest({ minimum = 0, exclusiveMinimum }: JsonSchema, step: number): number {
  return exclusiveMinimum === undefined ? Math.max(minimum, -5) : exclusiveMinimum + step;
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
