import type { SchemaAnswer, SchemaProblem, SchemaRequest } from "./apart-messages.ts";
import { findJsonExcess } from "./json-size.ts";
import { createProblemCollector } from "./problem-collector.ts";

const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** What a relative `$id` is relative to. Nobody can have this name. */
const RETRIEVAL_URI = "https://schema.invalid/check";

/** A JSON value against a JSON Schema of the dialect that it names. Nothing is ever fetched: what is not in the schema is an error. */
export async function validateJson({ schema, instance }: SchemaRequest): Promise<SchemaAnswer> {
  const excess = { instance: findJsonExcess(instance), schema: findJsonExcess(schema) };
  if (excess.schema !== null) return { kind: "bad_schema", reason: excess.schema };
  if (excess.instance !== null) return { kind: "no_json", reason: `${excess.instance}.` };
  let value: ReturnType<typeof JSON.parse>;
  try {
    value = JSON.parse(instance);
  } catch (error) {
    return { kind: "no_json", reason: messageOf(error) };
  }
  const hyperjump = await loadDialects(schema);
  const { uri: locate } = await import("@hyperjump/json-schema/instance/experimental");
  const { registerSchema, setMetaSchemaOutputFormat, setShouldValidateFormat, unregisterSchema, validate } = hyperjump;
  setShouldValidateFormat(false);
  setMetaSchemaOutputFormat("BASIC");
  try {
    registerSchema(readSchema(schema), RETRIEVAL_URI, DEFAULT_DIALECT);
    const collector = createProblemCollector(locate);
    const output = await validate(RETRIEVAL_URI, value, { outputFormat: "FLAG", plugins: [collector] });
    if (output.valid) return { kind: "valid" };
    const { first, count } = collector.found();
    return { kind: "mismatched", problems: first.map(describeProblem), count };
  } catch (error) {
    return { kind: "bad_schema", reason: describeSchemaError(error) };
  } finally {
    unregisterSchema(RETRIEVAL_URI);
  }
}

/**
 * Two things that are common, and that the library does not take as they are. Up to draft-07 nothing counts beside `$ref`,
 * not even the definitions that it refers to: at the root, where generators write just that, they do. And a schema that
 * says it is a file is refused, lest others beside it are read: as nothing is read here whatever it says, it gets the name
 * of a place that does not exist.
 */
function readSchema(text: string): ReturnType<typeof JSON.parse> {
  const schema = JSON.parse(text);
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, $ref, $schema } = schema;
  if (typeof $id === "string") schema.$id = $id.replace(/^file:\/*/i, "https://file.invalid/");
  if (typeof $ref !== "string" || !/draft-0[467]/.test(String($schema))) return schema;
  const kept = Object.entries(schema).filter(([name]) => /^(\$schema|\$?id|definitions|\$defs)$/.test(name));
  return { ...Object.fromEntries(kept), allOf: [{ $ref }] };
}

/** Each draft is a module of its own; one that the schema does not speak of is not needed. */
async function loadDialects(schema: string) {
  if (/draft-04/.test(schema)) await import("@hyperjump/json-schema/draft-04");
  if (/draft-06/.test(schema)) await import("@hyperjump/json-schema/draft-06");
  if (/draft-07/.test(schema)) await import("@hyperjump/json-schema/draft-07");
  if (/draft\/2019-09/.test(schema)) await import("@hyperjump/json-schema/draft-2019-09");
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
  const reference = /Unable to load resource '([^']*)'/.exec(messageOf(error))?.[1];
  if (reference !== undefined) return `it refers to ${reference}, which is not part of it, and nothing is fetched`;
  return messageOf(error).split(/\. (You can use|Use the) /)[0] ?? "";
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
