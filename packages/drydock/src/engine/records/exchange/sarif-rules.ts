import type { CheckResult, GuardCode } from "@drydock/protocol";
import { findCheckType } from "../../verify/check-types/check-types.ts";

export interface SarifRule {
  id: string;
  name: string;
  shortDescription: { text: string };
  defaultConfiguration: { level: SarifLevel };
}

export type SarifLevel = "error" | "note";

const GUARDS: Record<GuardCode, string> = {
  changed: "Tests, their fixtures and their configuration stay as they were, unless the task's scope names them.",
  input_changed: "What was seen to decide over a check stays as it was, unless a person allows its change.",
  takes_over: "Nothing may be added that takes the place of a test, its configuration or a module.",
  too_weak: "The checks have to notice as many small faults in the change as the user requires.",
  unstable: "The directory must not change while it is judged.",
};

/** One rule for each type of check, and one for each implied rule. */
export function ruleOf({ type, code, implied }: CheckResult): SarifRule {
  return implied === true
    ? createRule(`guard/${code}`, describeGuard(code) ?? `A rule that holds for every task: ${toWords(code)}.`)
    : createRule(`check/${type}`, findCheckType(type)?.rule ?? `A check of the type ${type}.`);
}

/** Records of other versions may hold codes that this one does not know. */
function describeGuard(code: string): string | undefined {
  return Object.hasOwn(GUARDS, code) ? GUARDS[code as GuardCode] : undefined;
}

export const SURVIVOR_RULE = createRule(
  "strength/survivor",
  "A small fault in what the change added, which no check notices.",
  "note",
);

export function verdictRule(verdict: string): SarifRule {
  const text =
    verdict === "unproven"
      ? "The checks passed, and prove nothing about the change."
      : "The run ended without a verdict that passed.";
  return createRule(`verdict/${verdict}`, text);
}

function createRule(id: string, text: string, level: SarifLevel = "error"): SarifRule {
  const name = toWords(id).replace(/(^|\s)(\w)/g, (_all, _space, letter: string) => letter.toUpperCase());
  return { id, name, shortDescription: { text }, defaultConfiguration: { level } };
}

function toWords(id: string): string {
  return id.replace(/[^a-z0-9]+/gi, " ").trim();
}
