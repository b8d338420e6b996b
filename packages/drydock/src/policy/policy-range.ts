import type { PolicyDocument } from "@drydock/protocol";
import { readPolicyPath } from "./policy-keys.ts";
import type { PolicyValue } from "./scales.ts";

/** The values that a document gives for one key. A plain value sets both. */
export interface AskedValue {
  default?: PolicyValue;
  max?: PolicyValue;
}

export function readAskedValue(document: PolicyDocument, path: string): AskedValue | undefined {
  const value = readPolicyPath(document, path) as PolicyValue | AskedValue | undefined;
  if (value === undefined) return undefined;
  if (typeof value === "object" && !isList(value)) return value;
  return { default: value, max: value };
}

function isList(value: AskedValue | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}
