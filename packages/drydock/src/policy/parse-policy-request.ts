import { DrydockError, type PolicyDocument } from "@drydock/protocol";
import { checkPolicy } from "./find-problems.ts";

/** Reads the policy part of a request, which has no file: a refusal names the key. */
export function parsePolicyRequest(value: unknown): PolicyDocument {
  const checked = checkPolicy(value);
  if (checked.ok) return checked.document;
  const problem = checked.problems[0];
  const key = problem?.path.map(String).join(".") || "policy";
  throw new DrydockError(
    "policy.invalid",
    `The requested policy is not valid: ${key}: ${problem?.message}`,
    problem?.hint ?? "",
    {
      key,
    },
  );
}
