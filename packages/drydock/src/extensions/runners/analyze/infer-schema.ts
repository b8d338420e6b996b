import { typeOf } from "./survey-value.ts";

/** A JSON Schema 2020-12, as far as it is made here. */
export interface InferredSchema {
  $schema?: string;
  type?: string | string[];
  properties?: Record<string, InferredSchema>;
  required?: string[];
  additionalProperties?: InferredSchema;
  items?: InferredSchema;
  enum?: unknown[];
  format?: string;
}

export interface Inference {
  schema: InferredSchema;
  /** Not all of the value was looked at. */
  bounded: boolean;
}

/** All values that were seen at one place. */
interface Seen {
  types: Map<string, number>;
  objects: number;
  properties: Map<string, Seen>;
  presence: Map<string, number>;
  /** More keys than a record has: they are data. */
  entries: Seen | null;
  items: Seen | null;
  texts: Set<string> | null;
  formats: Set<string>;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MAX_VALUES = 200_000;
const MAX_DEPTH = 48;
const MAX_PROPERTIES = 200;
const MAX_CHOICES = 8;
const MAX_CHOICE_CHARS = 40;
/** Fewer texts than this say nothing about which others there could be. */
const MIN_TEXTS = 6;
const ORDER = ["object", "array", "string", "integer", "number", "boolean", "null"];

const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  "date-time": (text) => /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && isDate(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  email: (text) => /^[^\s@<>"]{1,64}@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i.test(text) && URL.canParse(text),
};

/** The narrowest schema that the value, and all that are alike, satisfy. */
export function inferSchema(value: unknown): Inference {
  const bounds = { values: 0, bounded: false };
  const seen = newSeen();
  look(value, seen, 1, bounds);
  return { schema: { $schema: DIALECT, ...toSchema(seen) }, bounded: bounds.bounded };
}

function look(value: unknown, seen: Seen, depth: number, bounds: { values: number; bounded: boolean }): void {
  if (bounds.values >= MAX_VALUES || depth > MAX_DEPTH) {
    bounds.bounded = true;
    return;
  }
  bounds.values += 1;
  const type = typeOf(value);
  seen.types.set(type, (seen.types.get(type) ?? 0) + 1);
  if (typeof value === "string") lookAtText(value, seen);
  else if (Array.isArray(value)) {
    seen.items ??= newSeen();
    for (const item of value) look(item, seen.items, depth + 1, bounds);
  } else if (typeof value === "object" && value !== null) lookAtObject(value, seen, depth, bounds);
}

function lookAtObject(value: object, seen: Seen, depth: number, bounds: { values: number; bounded: boolean }): void {
  seen.objects += 1;
  const entries = Object.entries(value);
  if (entries.length > MAX_PROPERTIES || seen.properties.size > MAX_PROPERTIES) seen.entries ??= newSeen();
  for (const [key, inner] of entries) {
    seen.presence.set(key, (seen.presence.get(key) ?? 0) + 1);
    const child = seen.entries ?? seen.properties.get(key) ?? newSeen();
    if (seen.entries === null) seen.properties.set(key, child);
    look(inner, child, depth + 1, bounds);
  }
  if (seen.presence.size > MAX_PROPERTIES * 4) seen.presence.clear();
}

function lookAtText(text: string, seen: Seen): void {
  for (const name of seen.formats) if (!FORMATS[name]?.(text)) seen.formats.delete(name);
  if (seen.texts === null) return;
  seen.texts.add(text);
  if (text.length > MAX_CHOICE_CHARS || seen.texts.size > MAX_CHOICES) seen.texts = null;
}

function toSchema(seen: Seen): InferredSchema {
  // A number schema accepts integers as well.
  const types = ORDER.filter((type) => seen.types.has(type) && !(type === "integer" && seen.types.has("number")));
  const schema: InferredSchema = types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types };
  if (seen.types.has("string")) Object.assign(schema, describeTexts(seen, types));
  if (seen.types.has("object")) Object.assign(schema, describeObject(seen));
  if (seen.items && seen.items.types.size > 0) schema.items = toSchema(seen.items);
  return schema;
}

function describeObject(seen: Seen): Partial<InferredSchema> {
  if (seen.entries !== null) {
    for (const inner of seen.properties.values()) merge(seen.entries, inner);
    return { additionalProperties: toSchema(seen.entries) };
  }
  const names = [...seen.properties.keys()];
  const required = names.filter((name) => seen.presence.get(name) === seen.objects);
  const properties = Object.fromEntries([...seen.properties].map(([name, inner]) => [name, toSchema(inner)]));
  return { properties, ...(required.length > 0 ? { required } : {}) };
}

/** A few texts that come again and again are choices; else a format that all of them have. */
function describeTexts(seen: Seen, types: readonly string[]): Partial<InferredSchema> {
  const total = seen.types.get("string") ?? 0;
  const [format] = Object.keys(FORMATS).filter((name) => seen.formats.has(name));
  if (format !== undefined) return { format };
  const isChoice = types.every((type) => type === "string" || type === "null");
  if (!isChoice || seen.texts === null || total < MIN_TEXTS || seen.texts.size > total / 3) return {};
  return { enum: [...[...seen.texts].sort(), ...(types.includes("null") ? [null] : [])] };
}

/** Only of types: what was taken for a record's fields turned out to be entries. */
function merge(into: Seen, from: Seen): void {
  for (const [type, count] of from.types) into.types.set(type, (into.types.get(type) ?? 0) + count);
  for (const name of into.formats) if (from.types.has("string") && !from.formats.has(name)) into.formats.delete(name);
  into.texts = null;
  into.objects += from.objects;
  for (const [key, inner] of from.properties) {
    const child = into.properties.get(key) ?? newSeen();
    into.properties.set(key, child);
    merge(child, inner);
  }
  for (const [key, count] of from.presence) into.presence.set(key, (into.presence.get(key) ?? 0) + count);
  if (from.items) {
    into.items ??= newSeen();
    merge(into.items, from.items);
  }
}

function newSeen(): Seen {
  return {
    types: new Map(),
    objects: 0,
    properties: new Map(),
    presence: new Map(),
    entries: null,
    items: null,
    texts: new Set(),
    formats: new Set(Object.keys(FORMATS)),
  };
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && Number(text.slice(8, 10)) <= daysIn(text);
}

function daysIn(text: string): number {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
}
