import { readFileSync } from "node:fs";
import { validateJson } from "../../../base/json-schema/index.ts";

// The pattern of `language` in the published schema has a bracket too many: it is no regular expression with the
// flag `u`, which JSON Schema asks for.
const SCHEMA = readFileSync(
  new URL("schemas/sarif-2.1.0-rtm.5.json", import.meta.resolve("@microsoft/jest-sarif")),
  "utf8",
).replaceAll("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");

/** What the official JSON Schema of SARIF 2.1.0 has against a file. */
export async function validateSarif(text: string): Promise<unknown[]> {
  const answer = await validateJson({ schema: SCHEMA, instance: text });
  if (answer.kind === "valid") return [];
  if (answer.kind === "mismatched") return answer.problems;
  throw new Error(`The schema can't be used: ${JSON.stringify(answer)}`);
}
