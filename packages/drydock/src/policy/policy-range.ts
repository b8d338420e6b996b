import type { PolicyDocument } from "@drydock/protocol";
import { readPolicyPath } from "./policy-keys.ts";
import type { PolicyValue } from "./scales.ts";

/** The values that a document gives for one key. A plain value sets both. */
export interface PolicyRange {
  default?: PolicyValue;
  max?: PolicyValue;
}

export function readPolicyRange(document: PolicyDocument, path: string): PolicyRange | undefined {
  const value = readPolicyPath(document, path) as PolicyValue | PolicyRange | undefined;
  if (value === undefined) return undefined;
  if (typeof value === "object" && !isList(value)) return value;
  return { default: value, max: value };
}

function isList(value: PolicyRange | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}
