import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { toData, type Value } from "./parse-value.ts";

type Schema = z.ZodType;
type Build = (args: readonly Value[]) => Schema;
type Refine = (schema: Schema, args: readonly Value[]) => Schema | null;

const BASES: ReadonlyMap<string, Build> = new Map<string, Build>([
  ["string", () => z.string()],
  ["number", () => z.number()],
  ["int", () => z.int()],
  ["boolean", () => z.boolean()],
  ["null", () => z.null()],
  ["unknown", () => z.unknown()],
  ["any", () => z.unknown()],
  ["email", () => z.email()],
  ["url", () => z.url()],
  ["literal", ([value]) => z.literal(plain(value))],
  ["enum", ([names]) => z.enum(listNames(names))],
  ["array", ([item]) => z.array(readSchema(item))],
  ["object", ([shape]) => readShape(shape, z.object)],
  ["strictObject", ([shape]) => readShape(shape, z.strictObject)],
  ["record", (args) => z.record(z.string(), readSchema(args.at(-1)))],
  ["union", ([items]) => z.union(listSchemas(items))],
  ["tuple", ([items]) => z.tuple(listSchemas(items))],
]);

/** Patterns are missing on purpose: a regular expression can take for ever, and this runs in the host. */
const REFINEMENTS: ReadonlyMap<string, Refine> = new Map<string, Refine>([
  ["optional", (schema) => schema.optional()],
  ["nullable", (schema) => schema.nullable()],
  ["array", (schema) => z.array(schema)],
  ["describe", (schema, [text]) => schema.describe(String(plain(text)))],
  ["default", (schema, [value]) => schema.default(toData(value ?? { kind: "plain", value: null }))],
  ["min", (schema, [value]) => (hasSize(schema) ? schema.min(count(value)) : null)],
  ["max", (schema, [value]) => (hasSize(schema) ? schema.max(count(value)) : null)],
  ["int", (schema) => (schema instanceof z.ZodNumber ? schema.int() : null)],
  ["positive", (schema) => (schema instanceof z.ZodNumber ? schema.positive() : null)],
  ["nonnegative", (schema) => (schema instanceof z.ZodNumber ? schema.nonnegative() : null)],
  ["length", (schema, [value]) => (schema instanceof z.ZodString ? schema.length(count(value)) : null)],
  ["email", (schema) => (schema instanceof z.ZodString ? z.email() : null)],
  ["url", (schema) => (schema instanceof z.ZodString ? z.url() : null)],
]);

/** A schema as it was typed: `z.object({ text: z.string() })`, or in short `{ text: "string", words: "number?" }`. */
export function readSchema(value: Value | undefined): Schema {
  if (value === undefined) throw invalid("A schema is missing");
  if (value.kind === "object") return readShape(value, z.object);
  if (value.kind === "plain" && typeof value.value === "string") return readName(value.value);
  if (value.kind !== "chain" || value.root !== "z") throw invalid("This is not a schema");
  const [base, ...refinements] = value.links;
  const build = BASES.get(base?.name ?? "");
  if (!build || base?.args === null || base === undefined)
    throw invalid(`There is no schema z.${base?.name ?? ""}() here`);
  return refinements.reduce((schema, { name, args }) => {
    const refined = REFINEMENTS.get(name)?.(schema, args ?? []);
    if (!refined || args === null) throw invalid(`z.${base.name}() has no .${name}() here`);
    return refined;
  }, build(base.args));
}

/** `string`, `number`, `boolean`, `int`, with `[]` for a list and `?` for what may be left out. */
function readName(name: string): Schema {
  if (name.endsWith("?")) return readName(name.slice(0, -1)).optional();
  if (name.endsWith("[]")) return z.array(readName(name.slice(0, -2)));
  const build = ["string", "number", "int", "boolean", "unknown"].includes(name) ? BASES.get(name) : undefined;
  if (!build) throw invalid(`There is no type ${name}`);
  return build([]);
}

function readShape(value: Value | undefined, make: (shape: Record<string, Schema>) => Schema): Schema {
  if (value?.kind !== "object")
    throw invalid("An object's schema needs its fields, as in z.object({ text: z.string() })");
  return make(Object.fromEntries(value.entries.map(([name, item]) => [name, readSchema(item)])));
}

function listSchemas(value: Value | undefined): [Schema, ...Schema[]] {
  const [first, ...rest] = value?.kind === "array" ? value.items.map(readSchema) : [];
  if (!first) throw invalid("Here a list of schemas is expected");
  return [first, ...rest];
}

function listNames(value: Value | undefined): [string, ...string[]] {
  const [first, ...rest] = value?.kind === "array" ? value.items.map((item) => String(plain(item))) : [];
  if (first === undefined) throw invalid("Here a list of names is expected");
  return [first, ...rest];
}

function hasSize(schema: Schema): schema is z.ZodString | z.ZodNumber | z.ZodArray {
  return schema instanceof z.ZodString || schema instanceof z.ZodNumber || schema instanceof z.ZodArray;
}

function count(value: Value | undefined): number {
  const found = plain(value);
  if (typeof found !== "number") throw invalid("Here a number is expected");
  return found;
}

function plain(value: Value | undefined): string | number | boolean | null {
  if (value?.kind !== "plain") throw invalid("Here a plain value is expected");
  return value.value;
}

function invalid(what: string): DrydockError {
  const hint = `Use z.${[...BASES.keys()].join(", z.")}, with .${[...REFINEMENTS.keys()].join(", .")}.`;
  return new DrydockError("input.invalid", `${what}.`, hint);
}
