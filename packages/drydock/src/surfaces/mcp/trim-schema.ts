import { isDeepStrictEqual } from "node:util";

/** Names of fields that a description lists: the first ones are what others are read for. */
const MAX_NAMES = 9;

type Json = Record<string, unknown>;

// Every client puts the list of tools before its model with each request, so schemas are shown without what a model
// can't use. What is sent and received is still checked by the whole schema; OpenAPI has the whole description.

/** The schema of a tool's arguments, without the name of its dialect and what says nothing. */
export function trimInputSchema(schema: Json): Json {
  const { $schema: _dialect, ...rest } = schema;
  return dropEmptyRules(rest) as Json;
}

/**
 * The schema of a tool's result: its own fields with the first sentence of each description. Of objects within it the
 * names of the fields are left.
 */
export function trimOutputSchema(schema: Json): Json {
  const { properties = {}, ...rest } = trimInputSchema(schema) as { properties?: Record<string, Json> };
  const fields = Object.entries(properties).map(([name, field]) => [name, showField(field)]);
  return { ...rest, properties: Object.fromEntries(fields) };
}

/** The hints that hold where a tool has none, by MCP's specification. */
const DEFAULT_HINTS: Json = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** What a tool says of its effects, without what is the default anyway. */
export function trimAnnotations<A extends object>(annotations: A): A {
  return Object.fromEntries(Object.entries(annotations).filter(([name, hint]) => DEFAULT_HINTS[name] !== hint)) as A;
}

/** Rules that hold for every value: bounds of all integers, keys that are strings, additional properties of any kind. */
function isEmptyRule([key, value]: [string, unknown]): boolean {
  if (key === "minimum" || key === "maximum") return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  if (key === "propertyNames") return isDeepStrictEqual(value, { type: "string" });
  return key === "additionalProperties" && isDeepStrictEqual(value, {});
}

function dropEmptyRules(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dropEmptyRules);
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter((entry) => !isEmptyRule(entry));
  return Object.fromEntries(kept.map(([key, value]) => [key, dropEmptyRules(value)]));
}

function showField({ description, ...field }: Json): Json {
  const names = listFields(field);
  const first = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length > MAX_NAMES ? ", …" : ".";
  const listed = names.length === 0 ? "" : ` ${isList(field) ? "Each has" : "Fields:"} ${first}${more}`;
  const text = `${firstSentence(String(description ?? ""))}${listed}`.trim();
  return { ...hollow(field), ...(text === "" ? {} : { description: text }) };
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function isList(field: Json): boolean {
  return field.type === "array";
}

/** The names of the fields of the object that a field holds, be it in a list, or null instead. */
function listFields(node: unknown): string[] {
  const { properties, items, anyOf } = Object(node) as { properties?: Json; items?: unknown; anyOf?: unknown[] };
  if (properties) return Object.keys(properties);
  if (items) return listFields(items);
  return (anyOf ?? []).flatMap(listFields);
}

/** A schema without what lies inside its objects. */
function hollow(node: Json): Json {
  if (Array.isArray(node.anyOf)) return joinTypes(node.anyOf.map((each: Json) => hollow(each)));
  if (isList(node)) return { type: "array", items: hollow(Object(node.items)) };
  if (node.type === "object") return { type: "object" };
  const { description: _description, ...rest } = node;
  return rest;
}

/** One of several schemas, by the names of their types where they say nothing else. */
function joinTypes(schemas: Json[]): Json {
  const isBare = schemas.every((each) => Object.keys(each).length === 1 && typeof each.type === "string");
  return isBare ? { type: schemas.map(({ type }) => type) } : { anyOf: schemas };
}
