import { countWord, DrydockError } from "@drydock/protocol";
import type { DrydockRunner, RunnerOutcome, SchemaFinding } from "../../ports.ts";
import { excerpt } from "./analysis-finding.ts";
import { compareSchema, type Difference, readPointer } from "./compare-schema.ts";
import { detectContent } from "./detect-content.ts";
import { type Inference, inferSchema } from "./infer-schema.ts";
import { readSubject } from "./read-subject.ts";

/**
 * The JSON Schema of a response. With a schema to compare it with: in which places the data is not as that says, in words,
 * and whether it would pass validation.
 */
export const analyzeSchema: DrydockRunner = async (call, ports) => {
  const subject = readSubject(call);
  const content = detectContent(subject);
  if (!("value" in content)) {
    const problem = content.kind === "text" && content.problem !== null ? ` (${content.problem})` : "";
    throw new DrydockError(
      "input.invalid",
      `A schema is made of JSON, JSON lines or CSV; ${subject.origin} is ${content.kind}${problem}.`,
      "Take the data out of it first, or look at it with an analysis of the response.",
    );
  }
  const inference = inferSchema(content.value);
  const notes = [
    ...(inference.bounded
      ? ["The data is larger or deeper than what is looked at: the schema is of its first part."]
      : []),
    ...(subject.truncated ? ["Only the head of the response was kept: the schema is of that."] : []),
  ];
  const { schema } = call.values;
  if (schema === undefined || schema === null || schema === "") return inferredOutcome(inference, notes);
  const declared = readSchema(schema);
  const request = { schema: JSON.stringify(declared), instance: JSON.stringify(content.value) };
  const finding = await ports.validateJson(request, call.signal);
  if (finding.kind === "bad_schema") throw badSchema(finding.reason);
  const differences = compareSchema(declared, inference.schema);
  return comparedOutcome(inference, declared, differences, finding, notes);
};

function readSchema(schema: unknown): unknown {
  let value = schema;
  if (typeof schema === "string") {
    try {
      value = JSON.parse(schema);
    } catch (error) {
      throw badSchema(`it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value)))
    return value;
  throw badSchema("it is neither an object nor true or false");
}

function badSchema(reason: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    `The schema to compare with can't be used: ${reason.replace(/\.$/, "")}.`,
    "Give a JSON Schema as JSON text; leave it out to get the one that the data has.",
  );
}

function inferredOutcome({ schema }: Inference, notes: string[]): RunnerOutcome {
  const content = Buffer.from(`${JSON.stringify(schema, null, 2)}\n`);
  const metadata = { schema };
  return { ok: true, content, mime: "application/json", error: null, artifacts: [], metadata, notes };
}

function comparedOutcome(
  { schema }: Inference,
  declared: unknown,
  differences: Difference[],
  finding: SchemaFinding,
  notes: string[],
): RunnerOutcome {
  const failures = describeFailures(finding, declared);
  const lines = [
    describeVerdict(finding),
    ...failures.map((line) => `  ${line}`),
    differences.length === 0
      ? "No difference between the schema and the shape of the data."
      : `${countWord(differences.length, "difference")} between the schema and the shape of the data:`,
    ...differences.map(({ path, kind, message }) => `  ${path || "the whole value"}: ${kind}: ${message}`),
    "",
  ];
  const valid = finding.kind === "valid" ? true : finding.kind === "mismatched" ? false : null;
  return {
    ok: true,
    content: Buffer.from(lines.join("\n")),
    mime: "text/plain",
    error: null,
    artifacts: [],
    metadata: { schema, valid, differences, failures },
    notes,
  };
}

function describeVerdict(finding: SchemaFinding): string {
  switch (finding.kind) {
    case "valid":
      return "The data satisfies the schema.";
    case "mismatched":
      return `The data would fail validation, in ${countWord(finding.count, "place")}:`;
    case "unresolved":
      return `Whether the data is valid is not known: the schema refers to ${excerpt(finding.uri)}, which is not fetched.`;
    case "no_json":
    case "bad_schema":
    case "stopped":
      return `Whether the data is valid is not known: ${finding.reason}`;
    default:
      return finding satisfies never;
  }
}

function describeFailures(finding: SchemaFinding, declared: unknown): string[] {
  if (finding.kind !== "mismatched") return [];
  const lines = finding.problems.map(({ instance, keyword }) => {
    const name = keyword.slice(keyword.lastIndexOf("/") + 1);
    const wanted = excerpt(JSON.stringify(readPointer(declared, keyword)) ?? "", 80);
    return `${instance}: does not satisfy ${name}${wanted === "" ? "" : ` ${wanted}`}`;
  });
  const more = finding.count - finding.problems.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
