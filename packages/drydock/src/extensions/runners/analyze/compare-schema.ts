import { excerpt } from "./analysis-finding.ts";
import type { InferredSchema } from "./infer-schema.ts";

/** One thing in which data is not as a schema says, in words. */
export interface Difference {
  /** `users[].name`; empty for the whole. */
  path: string;
  kind: "missing" | "extra" | "type" | "enum" | "format";
  message: string;
}

const MAX_DIFFERENCES = 100;
const MAX_DEPTH = 48;
const MAX_PARTS = 64;

type SchemaObject = Readonly<Record<string, unknown>>;

/**
 * What a schema says against what the data looks like. It explains; whether the data is valid is for the validator. The
 * walk follows the data, so a schema that refers to itself comes to an end.
 */
export function compareSchema(declared: unknown, inferred: InferredSchema): Difference[] {
  const differences: Difference[] = [];
  compareAt({ declared, inferred, path: "", depth: 1 }, declared, differences);
  return differences.slice(0, MAX_DIFFERENCES);
}

interface Step {
  declared: unknown;
  inferred: InferredSchema;
  path: string;
  depth: number;
}

function compareAt({ declared, inferred, path, depth }: Step, root: unknown, out: Difference[]): void {
  if (depth > MAX_DEPTH || out.length >= MAX_DIFFERENCES) return;
  const parts = collectParts(declared, root);
  const types = listTypes(inferred.type);
  const allowed = allowedTypes(parts);
  const foreign = types.filter((type) => allowed !== null && !allows(allowed, type));
  if (allowed !== null && foreign.length > 0) {
    const message = `the schema says ${[...allowed].join(" or ")}, the data has ${types.join(" or ")}`;
    out.push({ path, kind: "type", message });
  }
  compareTexts(parts, inferred, path, out);
  if (types.includes("object")) compareObject(parts, { declared, inferred, path, depth }, root, out);
  const items = firstOf(parts, "items");
  if (inferred.items && items !== undefined) {
    compareAt({ declared: items, inferred: inferred.items, path: `${path}[]`, depth: depth + 1 }, root, out);
  }
}

function compareObject(
  parts: readonly SchemaObject[],
  { inferred, path, depth }: Step,
  root: unknown,
  out: Difference[],
) {
  const declared = new Map(parts.flatMap((part) => Object.entries(asObject(part.properties) ?? {})));
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required.map(String) : [])));
  const present = inferred.properties ?? {};
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const name of new Set([...declared.keys(), ...required])) {
    if (inferred.additionalProperties) break;
    if (!Object.hasOwn(present, name)) {
      const message = required.has(name)
        ? "required by the schema, and not there"
        : "in the schema (optional), never in the data";
      out.push({ path: at(name), kind: "missing", message });
    } else if (required.has(name) && !inferred.required?.includes(name)) {
      out.push({ path: at(name), kind: "missing", message: "required by the schema, and missing in some objects" });
    }
  }
  const others = firstOf(parts, "additionalProperties");
  const hasPatterns = parts.some((part) => part.patternProperties !== undefined);
  for (const [name, inner] of Object.entries(present)) {
    const wanted = declared.get(name) ?? (asObject(others) ? others : undefined);
    if (wanted !== undefined)
      compareAt({ declared: wanted, inferred: inner, path: at(name), depth: depth + 1 }, root, out);
    else if (!hasPatterns) {
      const type = listTypes(inner.type).join(" or ");
      const forbidden = others === false ? ": the schema allows no others" : "";
      out.push({ path: at(name), kind: "extra", message: `in the data (${type}), not in the schema${forbidden}` });
    }
  }
}

function compareTexts(parts: readonly SchemaObject[], inferred: InferredSchema, path: string, out: Difference[]): void {
  const choices = parts.map((part) => part.enum).find(Array.isArray);
  const beyond = inferred.enum?.filter((value) => choices && !choices.includes(value)) ?? [];
  if (beyond.length > 0) {
    const message = `the schema's choices lack ${beyond.map((value) => JSON.stringify(value)).join(", ")}`;
    out.push({ path, kind: "enum", message });
  }
  const format = firstOf(parts, "format");
  const hasTexts = listTypes(inferred.type).includes("string");
  if (typeof format === "string" && hasTexts && inferred.format !== format) {
    const seen = inferred.format === undefined ? "texts that are not all of that form" : inferred.format;
    out.push({ path, kind: "format", message: `the schema says ${excerpt(format, 40)}, the data has ${seen}` });
  }
}

/** The schema itself and what it consists of: references within it, and each of its alternatives. */
function collectParts(declared: unknown, root: unknown): SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const open = [declared];
  while (open.length > 0 && parts.size < MAX_PARTS) {
    const part = asObject(open.pop());
    if (part === null || parts.has(part)) continue;
    parts.add(part);
    if (typeof part.$ref === "string") open.push(readPointer(root, part.$ref));
    for (const word of ["allOf", "anyOf", "oneOf"]) {
      const list = part[word];
      if (Array.isArray(list)) for (const each of list) open.push(each);
    }
  }
  return [...parts];
}

/** Null where any will do. */
function allowedTypes(parts: readonly SchemaObject[]): Set<string> | null {
  const types = parts.flatMap((part) => listTypes(part.type));
  return types.length === 0 ? null : new Set(types);
}

function allows(allowed: ReadonlySet<string>, type: string): boolean {
  return allowed.has(type) || (type === "integer" && allowed.has("number"));
}

function firstOf(parts: readonly SchemaObject[], keyword: string): unknown {
  return parts.find((part) => part[keyword] !== undefined)?.[keyword];
}

function listTypes(type: unknown): string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === "string") : [];
}

/** What `#/$defs/x` points at. What lies elsewhere is not looked for. */
export function readPointer(root: unknown, pointer: string): unknown {
  if (!pointer.startsWith("#")) return undefined;
  let value = root;
  for (const step of pointer.slice(1).split("/").slice(1)) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function asObject(value: unknown): SchemaObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SchemaObject) : null;
}
