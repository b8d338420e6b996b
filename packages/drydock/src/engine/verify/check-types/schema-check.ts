import { type CheckFinding, failed, passed } from "../check-finding.ts";
import type { JudgeContext } from "../judge-context.ts";
import { validateInWorker } from "../worker/run-in-worker.ts";
import type { CheckOf, DescriptorOf } from "./check-descriptor.ts";
import { findPathProblem } from "./check-path.ts";
import { findLengthProblem } from "./check-problems.ts";
import { findSchema } from "./find-schema.ts";
import { readCheckedFile } from "./read-checked-file.ts";

const MAX_FILE_MB = 4;
const MAX_REFERENCES = 32;

export const jsonSchemaCheck: DescriptorOf<"json_schema"> = {
  judge: judgeJsonSchema,
  refuse: ({ path, schema }, { rules }) =>
    findPathProblem(path, rules) ?? findLengthProblem("schema", JSON.stringify(schema) ?? ""),
  runs: false,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"json_schema","path","schema"}',
  rule: "A JSON file has to satisfy a schema.",
  isAboutPath: true,
};

async function judgeJsonSchema({ path, schema }: CheckOf<"json_schema">, context: JudgeContext): Promise<CheckFinding> {
  const file = await readCheckedFile(context, path, MAX_FILE_MB);
  if (!file.ok) return file.finding;
  let instance: string;
  try {
    instance = new TextDecoder("utf-8", { fatal: true }).decode(file.bytes);
  } catch {
    return failed("invalid_json", `${path} is not valid JSON: it is not UTF-8.`);
  }
  const answer = await validateWithReferences(JSON.stringify(schema), instance, context);
  switch (answer.kind) {
    case "valid":
      return passed(`${path} satisfies the schema.`);
    case "mismatched": {
      const { problems, count } = answer;
      const more = count > 1 ? ` (and ${count - 1} more)` : "";
      const [first] = problems;
      const reason = `${path}: ${first?.instance ?? "the whole value"} does not satisfy ${first?.keyword ?? "#"}${more}.`;
      return failed("schema_mismatch", reason, { problems, count });
    }
    case "no_json":
      return failed("invalid_json", `${path} is not valid JSON: ${answer.reason}`);
    case "unresolved":
      return failed("invalid_schema", `The schema refers to more than ${MAX_REFERENCES} others.`);
    case "bad_schema":
      return failed("invalid_schema", `The schema can't be used: ${answer.reason}.`);
    case "stopped":
      return failed("schema_timeout", `Checking against the schema was stopped: ${answer.reason}`);
    default:
      return answer satisfies never;
  }
}

/** What the schema refers to is looked for, one by one, until it is whole. */
async function validateWithReferences(schema: string, instance: string, context: JudgeContext) {
  const resources: Record<string, string> = {};
  for (;;) {
    const answer = await validateInWorker({ schema, instance, resources }, context);
    if (answer.kind !== "unresolved" || Object.keys(resources).length >= MAX_REFERENCES) return answer;
    const found = await findSchema(answer.uri, context);
    if (!found.ok) return { kind: "bad_schema" as const, reason: found.reason.replace(/\.$/, "") };
    try {
      JSON.parse(found.text);
    } catch {
      return { kind: "bad_schema" as const, reason: `what it refers to, ${answer.uri}, is not valid JSON` };
    }
    resources[answer.uri] = found.text;
  }
}
