type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const ONE = new Set(
  "additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
const LIST = new Set("allOf anyOf items oneOf prefixItems".split(" "));
const MAP = new Set("$defs definitions dependencies dependentSchemas patternProperties properties".split(" "));
/** What gives a schema a name. Anywhere else than in a schema, it is a word like any other. */
const NAMES = ["$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"];
const REFERENCES = ["$ref", "$dynamicRef"];

/**
 * The library takes whatever looks like an identifier for one, wherever it stands. Here those that stand in no schema are
 * taken out of its way: in unknown keywords they are dropped; values of `enum` and `const` that hold some are said as
 * schemas which only those values satisfy. Up to draft-07 nothing counts beside `$ref`, an `$id` neither.
 */
export function settleIdentifiers(schema: Json, isOld: boolean, isRoot = false): Json {
  if (!isObject(schema)) return schema;
  const settled: JsonObject = {};
  const values: JsonObject[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isOld && !isRoot && typeof schema.$ref === "string" && (name === "$id" || name === "id")) continue;
    if (name === "enum" && Array.isArray(value) && value.some(holdsIdentifier)) {
      values.push({ anyOf: value.map((each) => describeValue(each, isOld)) });
    } else if (name === "const" && holdsIdentifier(value)) values.push(describeValue(value, isOld));
    else settled[name] = settleKeyword(name, value, isOld);
  }
  if (values.length === 0) return settled;
  // Twice negated, it says the same and leaves no trace of what it looked at.
  const conditions = values.map((value) => ({ not: { not: value } }));
  return { ...settled, allOf: [...(Array.isArray(settled.allOf) ? settled.allOf : []), ...conditions] };
}

function settleKeyword(name: string, value: Json, isOld: boolean): Json {
  if (LIST.has(name) && Array.isArray(value)) return value.map((each) => settleIdentifiers(each, isOld));
  if (ONE.has(name)) return settleIdentifiers(value, isOld);
  if (MAP.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settleIdentifiers(each, isOld)]));
  }
  return name === "enum" || name === "const" || !isObject(value) ? value : dropIdentifiers(value);
}

function dropIdentifiers(value: Json): Json {
  if (Array.isArray(value)) return value.map(dropIdentifiers);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, each]) => !(NAMES.includes(name) && typeof each === "string"));
  return Object.fromEntries(kept.map(([name, each]) => [name, dropIdentifiers(each)]));
}

function holdsIdentifier(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsIdentifier);
  return isObject(value) && Object.entries(value).some(([name, each]) => isIdentifier(name) || holdsIdentifier(each));
}

function describeValue(value: Json, isOld: boolean): JsonObject {
  if (Array.isArray(value)) {
    const items = value.map((each) => describeValue(each, isOld));
    const tuple: JsonObject = items.length === 0 ? {} : { [isOld ? "items" : "prefixItems"]: items };
    return { type: "array", minItems: value.length, maxItems: value.length, ...tuple };
  }
  if (!isObject(value)) return { const: value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, describeValue(each, isOld)]),
  );
  const names = Object.keys(value);
  return { type: "object", required: names, maxProperties: names.length, properties };
}

function isIdentifier(name: string): boolean {
  return NAMES.includes(name) || REFERENCES.includes(name);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
