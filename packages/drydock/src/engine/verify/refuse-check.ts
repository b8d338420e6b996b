import type { Check, EffectivePolicy } from "@drydock/protocol";
import { createPathRules } from "../../policy/index.ts";
import type { CheckProblem, RefusalContext } from "./check-types/check-descriptor.ts";
import { describeCheckType } from "./check-types/check-types.ts";

/** Null where the check may be made. Nothing runs, and no tree is looked at. */
export async function findCheckProblem(check: Check, context: RefusalContext): Promise<CheckProblem | null> {
  return describeCheckType(check).refuse(check, context);
}

/** All errors in a list of checks, by position, for the author of the list. */
export async function findCheckProblems(
  checks: readonly Check[],
  policy: EffectivePolicy,
): Promise<(CheckProblem & { index: number })[]> {
  const rules = createPathRules(policy);
  const services = accumulateServices(checks);
  const problems: (CheckProblem & { index: number })[] = [];
  for (const [index, check] of checks.entries()) {
    const problem = await findCheckProblem(check, { policy, rules, services: services[index] ?? [] });
    if (problem) problems.push({ index, code: problem.code, reason: problem.reason });
  }
  return problems;
}

/** For each place in a list of checks, and for its end: the services that were started before it, each once. */
export function accumulateServices(checks: readonly Check[]): (readonly string[])[] {
  let sofar: readonly string[] = [];
  const found = [sofar];
  for (const check of checks) {
    const start = "start" in check ? check.start : undefined;
    if (start !== undefined && !sofar.includes(start)) sofar = [...sofar, start];
    found.push(sofar);
  }
  return found;
}
