import type { SchemaAnswer, SchemaProblem, SchemaRequest } from "./apart-messages.ts";

const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";
const RETRIEVAL_URI = "urn:drydock:check";
const MAX_PROBLEMS = 20;

/** A JSON value against a JSON Schema of the dialect that it names. Nothing is ever fetched: what is not in the schema is an error. */
export async function validateJson({ schema, instance }: SchemaRequest): Promise<SchemaAnswer> {
  let value: ReturnType<typeof JSON.parse>;
  try {
    value = JSON.parse(instance);
  } catch (error) {
    return { kind: "no_json", reason: messageOf(error) };
  }
  const { registerSchema, setMetaSchemaOutputFormat, setShouldValidateFormat, validate } = await loadDialects(schema);
  setShouldValidateFormat(false);
  setMetaSchemaOutputFormat("BASIC");
  try {
    registerSchema(JSON.parse(schema), RETRIEVAL_URI, DEFAULT_DIALECT);
    const output = await validate(RETRIEVAL_URI, value, "BASIC");
    if (output.valid) return { kind: "valid" };
    const problems = (output.errors ?? []).map(describeProblem);
    return { kind: "mismatched", problems: problems.slice(0, MAX_PROBLEMS), count: problems.length };
  } catch (error) {
    return { kind: "bad_schema", reason: describeSchemaError(error) };
  }
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

function describeProblem(error: { absoluteKeywordLocation: string; instanceLocation: string }): SchemaProblem {
  return {
    instance: pointerOf(error.instanceLocation),
    keyword: error.absoluteKeywordLocation.replace(RETRIEVAL_URI, "").replace(/^#?/, "#"),
  };
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
  const { errors } = error.output as { errors?: Parameters<typeof describeProblem>[0][] };
  return (errors ?? []).map(describeProblem);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
