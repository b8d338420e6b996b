import { DrydockError } from "@drydock/protocol";
import type { OutputUnit, SchemaObject } from "@hyperjump/json-schema/draft-2020-12";
import { shortenLine } from "../text/index.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MAX_PROBLEMS = 8;
let registered = 0;

/** What does not fit a JSON Schema, in words that a model can act on; empty where the value fits. */
export async function checkShape(value: unknown, schema: Record<string, unknown>): Promise<string[]> {
  refuseForeignReferences(schema);
  const { registerSchema, unregisterSchema, validate } = await import("@hyperjump/json-schema/draft-2020-12");
  // The validator keeps schemas by their address, for the whole process.
  const { $id: _, ...anonymous } = schema;
  const uri = `https://drydock.invalid/shape/${++registered}`;
  registerSchema(anonymous as SchemaObject, uri, DIALECT);
  try {
    const output = await validate(uri, value as never, "BASIC");
    if (output.valid) return [];
    const units = dropForeignBranches(output.errors ?? []);
    const problems = units.map((unit) => describeUnit(unit, schema, value)).slice(0, MAX_PROBLEMS);
    return problems.length > 0 ? [...new Set(problems)] : ["it does not fit the schema"];
  } finally {
    unregisterSchema(uri);
  }
}

/** The validator would fetch them. */
function refuseForeignReferences(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if ((name === "$ref" || name === "$dynamicRef") && typeof inner === "string" && !inner.startsWith("#")) {
      const hint = "Put what it refers to under $defs, and refer to that.";
      throw new DrydockError("input.invalid", `The schema refers to something outside of it: ${inner}`, hint);
    }
    refuseForeignReferences(inner);
  }
}

/** Of several shapes that a value may have, only those are of interest whose constants (`type: command`) it has. */
function dropForeignBranches(units: readonly OutputUnit[]): OutputUnit[] {
  const foreign = new Set(
    units.filter(({ keyword }) => keyword.endsWith("/const")).map((unit) => branchOf(unit) + unit.instanceLocation),
  );
  const isForeign = (unit: OutputUnit) =>
    [...foreign].some((key) => {
      const [branch, instance] = [key.slice(0, key.lastIndexOf("#")), key.slice(key.lastIndexOf("#"))];
      const holder = instance.slice(0, instance.lastIndexOf("/"));
      return unit.absoluteKeywordLocation.startsWith(branch) && unit.instanceLocation.startsWith(holder);
    });
  const kept = units.filter((unit) => !isForeign(unit));
  return kept.length > 0 ? kept : [...units];
}

/** `…/oneOf/3/` for what stands in the fourth shape; something that no location starts with for all else. */
function branchOf({ absoluteKeywordLocation }: OutputUnit): string {
  return /^.*\/(anyOf|oneOf)\/\d+\//.exec(absoluteKeywordLocation)?.[0] ?? "none";
}

function describeUnit(unit: OutputUnit, schema: unknown, root: unknown): string {
  const at = decodeURI(unit.instanceLocation.slice(1)) || "the whole value";
  const keyword = unit.absoluteKeywordLocation.slice(unit.absoluteKeywordLocation.lastIndexOf("/") + 1);
  const wanted = readPointer(schema, unit.absoluteKeywordLocation);
  if (wanted === false) return `${at} is not allowed`;
  if (keyword === "required" && Array.isArray(wanted)) {
    const value = readPointer(root, unit.instanceLocation);
    const missing = wanted.filter((name) => typeof value === "object" && value !== null && !Object.hasOwn(value, name));
    return `${at} lacks ${missing.join(", ")}`;
  }
  if (keyword === "anyOf" || keyword === "oneOf") return `${at} has none of the shapes that are allowed there`;
  return `${at} must have ${keyword} ${shortenLine(JSON.stringify(wanted) ?? "", 120)}`.trimEnd();
}

/** What a location such as `#/tasks/0` points at. */
function readPointer(root: unknown, location: string): unknown {
  let value = root;
  for (const step of decodeURI(location.slice(location.indexOf("#") + 1))
    .split("/")
    .slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, step.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return value;
}
