import { findJsonExcess } from "./json-size.ts";
import { createProblemCollector } from "./problem-collector.ts";
import type { SchemaAnswer, SchemaProblem, SchemaRequest } from "./schema-request.ts";
import { settleIdentifiers } from "./settle-identifiers.ts";

const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";
const OLD_DRAFTS = /draft-0[467]/;
/** The base of a relative `$id`. No real schema can have this name. */
const RETRIEVAL_URI = "https://schema.invalid/";

/**
 * A JSON value against a JSON Schema of the dialect that it names. Nothing is ever fetched: the answer names a
 * reference that is neither in the schema nor among the resources.
 */
export async function validateJson(request: SchemaRequest): Promise<SchemaAnswer> {
  const { schema, instance, resources = {} } = request;
  const excess = { instance: findJsonExcess(instance), schema: findJsonExcess(schema) };
  if (excess.schema !== null) return { kind: "bad_schema", reason: excess.schema };
  if (excess.instance !== null) return { kind: "no_json", reason: `${excess.instance}.` };
  let value: ReturnType<typeof JSON.parse>;
  try {
    value = JSON.parse(instance);
  } catch (error) {
    return { kind: "no_json", reason: messageOf(error) };
  }
  const hyperjump = await loadDialects();
  const { uri: locate } = await import("@hyperjump/json-schema/instance/experimental");
  const { registerSchema, setMetaSchemaOutputFormat, setShouldValidateFormat, unregisterSchema, validate } = hyperjump;
  setShouldValidateFormat(false);
  setMetaSchemaOutputFormat("BASIC");
  const dialect = dialectOf(schema);
  try {
    for (const [uri, text] of Object.entries(resources))
      registerSchema(readSchema(text, dialectOf(text, dialect)), uri, dialect);
    registerSchema(readSchema(schema, dialect), RETRIEVAL_URI, DEFAULT_DIALECT);
    const collector = createProblemCollector(locate);
    const output = await validate(RETRIEVAL_URI, value, { outputFormat: "FLAG", plugins: [collector] });
    if (output.valid) return { kind: "valid" };
    const { first, count } = collector.found();
    return { kind: "mismatched", problems: first.map(describeProblem), count };
  } catch (error) {
    const uri = findUnresolved(error);
    if (uri !== null && !(uri in resources)) return { kind: "unresolved", uri };
    return { kind: "bad_schema", reason: describeSchemaError(error) };
  } finally {
    for (const uri of [RETRIEVAL_URI, ...Object.keys(resources)]) unregisterSchema(uri);
  }
}

/**
 * Things that are common, and that the library does not take as they are. Up to draft-07 nothing counts beside `$ref`,
 * not even the definitions that it refers to: at the root, where generators write just that, they do. And a schema that
 * says it is a file is refused, lest others beside it are read: as nothing is read here whatever it says, it gets the name
 * of a place that does not exist.
 */
function readSchema(text: string, dialect: string): ReturnType<typeof JSON.parse> {
  const isOld = OLD_DRAFTS.test(dialect);
  const schema = settleIdentifiers(JSON.parse(text), isOld, true);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const { $id, $ref } = schema;
  if (typeof $id === "string") schema.$id = $id.replace(/^file:\/*/i, "https://file.invalid/");
  if (typeof $ref !== "string" || !isOld) return schema;
  const kept = Object.entries(schema).filter(([name]) => /^(\$schema|\$?id|definitions|\$defs)$/.test(name));
  return { ...Object.fromEntries(kept), allOf: [{ $ref }] };
}

/** All dialects, whichever the schema names: what a schema may refer to does not depend on schemas that came before it. */
async function loadDialects() {
  await import("@hyperjump/json-schema/draft-04");
  await import("@hyperjump/json-schema/draft-06");
  await import("@hyperjump/json-schema/draft-07");
  await import("@hyperjump/json-schema/draft-2019-09");
  await import("@hyperjump/json-schema/experimental");
  return import("@hyperjump/json-schema/draft-2020-12");
}

function describeProblem({ instance, keyword }: SchemaProblem): SchemaProblem {
  return { instance: pointerOf(instance), keyword: keyword.replace(RETRIEVAL_URI, "").replace(/^#?/, "#") };
}

function pointerOf(location: string): string {
  const fragment = location.slice(location.indexOf("#"));
  return fragment === "#" ? "the whole value" : fragment.slice(1);
}

function describeSchemaError(error: unknown): string {
  if (error instanceof RangeError) return "it refers to itself without end";
  const problems = readMetaProblems(error);
  const [first] = problems;
  if (first) return `${first.instance === "the whole value" ? "it" : first.instance} does not satisfy ${first.keyword}`;
  const reference = findUnresolved(error);
  if (reference !== null) return `it refers to ${reference}, which is not part of it`;
  return messageOf(error).split(/\. (You can use|Use the) /)[0] ?? "";
}

function findUnresolved(error: unknown): string | null {
  const text = messageOf(error);
  return /(?:Unable to load resource|unknown dialect) '([^']*)'/.exec(text)?.[1]?.split("#")[0] ?? null;
}

/** What a schema does not say of itself, it takes from the one that refers to it. */
function dialectOf(schema: string, otherwise = DEFAULT_DIALECT): string {
  const value: unknown = JSON.parse(schema);
  const named = typeof value === "object" && value !== null && "$schema" in value ? value.$schema : undefined;
  return typeof named === "string" ? named.replace(/#$/, "") : otherwise;
}

function readMetaProblems(error: unknown): SchemaProblem[] {
  if (!(error instanceof Error) || !("output" in error)) return [];
  const { errors } = error.output as { errors?: { absoluteKeywordLocation: string; instanceLocation: string }[] };
  return (errors ?? []).map((each) =>
    describeProblem({ instance: each.instanceLocation, keyword: each.absoluteKeywordLocation }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
