import type { Check, EffectivePolicy } from "@drydock/protocol";
import {
  createPathRules,
  describeCommands,
  describePathPatternProblem,
  explainDenyRule,
  loadShellCheck,
  type PathRules,
} from "../../policy/index.ts";
import { findPathProblem } from "./check-path.ts";
import { quote } from "./finding.ts";
import { readHttpTarget } from "./http-target.ts";
import { servicesFor } from "./judge-http.ts";

/** Why a check is not allowed, whatever the tree. */
export interface CheckProblem {
  code: string;
  reason: string;
}

const MAX_CHARS = { command: 16_384, needle: 65_536, pattern: 1024, expression: 16_384, schema: 1024 * 1024 };

export interface RefusalContext {
  policy: EffectivePolicy;
  rules: PathRules;
  /** Command lines of services that earlier checks of the list started. */
  services: readonly string[];
}

/** Null where the check may be made. Nothing runs, and no tree is looked at. */
export async function findCheckProblem(check: Check, context: RefusalContext): Promise<CheckProblem | null> {
  switch (check.type) {
    case "file_exists":
    case "file_absent":
      return findPathProblem(check.path, context.rules);
    case "file_contains":
      return findPathProblem(check.path, context.rules) ?? findNeedleProblem(check.needle);
    case "file_matches":
      return findPathProblem(check.path, context.rules) ?? findLengthProblem("pattern", check.pattern);
    case "json_schema":
      return (
        findPathProblem(check.path, context.rules) ?? findLengthProblem("schema", JSON.stringify(check.schema) ?? "")
      );
    case "unchanged":
      return check.paths.map(findGlobProblem).find((problem) => problem !== null) ?? null;
    case "command":
      return findReportProblem(check.junit) ?? (await findCommandProblems([check.start, check.cmd], context));
    case "command_contains":
      return (
        findNeedleProblem(check.needle) ??
        findReportProblem(check.junit) ??
        (await findCommandProblems([check.start, check.cmd], context))
      );
    case "http_check": {
      const services = servicesFor(check, context.services);
      const target = readHttpTarget(check.url, context.policy.network.allow, services.length > 0);
      if (target.kind === "refused") return target;
      if (check.contains !== undefined && findNeedleProblem(check.contains)) return findNeedleProblem(check.contains);
      return target.kind === "inside"
        ? findCommandProblems(services, context)
        : findCommandProblems([check.start], context);
    }
    case "python":
      return findLengthProblem("expression", check.expression);
    default:
      return check satisfies never;
  }
}

/** For whoever writes a list of checks: all that is not allowed in it, by the check's place. */
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

function findLengthProblem(what: keyof typeof MAX_CHARS, text: string): CheckProblem | null {
  if (text.length <= MAX_CHARS[what]) return null;
  return { code: "too_long", reason: `The ${what} is longer than ${MAX_CHARS[what]} characters.` };
}

/** Every text contains the empty one: a check for it would prove nothing. */
function findNeedleProblem(needle: string): CheckProblem | null {
  if (needle === "") return { code: "empty_needle", reason: "The text to look for is empty." };
  return findLengthProblem("needle", needle);
}

function findGlobProblem(glob: string): CheckProblem | null {
  const problem = describePathPatternProblem(glob);
  return problem === null ? null : { code: "illegal_path", reason: `The glob ${quote(glob)} ${problem}.` };
}

function findReportProblem(junit: string | undefined): CheckProblem | null {
  return junit === undefined ? null : findGlobProblem(junit);
}

async function findCommandProblems(
  lines: readonly (string | undefined)[],
  { policy }: RefusalContext,
): Promise<CheckProblem | null> {
  const { commands } = policy;
  const { checkShell } = await loadShellCheck();
  for (const line of lines) {
    if (line === undefined) continue;
    const tooLong = findLengthProblem("command", line);
    if (tooLong) return tooLong;
    const checked = checkShell(commands, line);
    if (checked.ok) continue;
    const { command, reason, rule } = checked;
    const what = command === "" ? quote(line) : quote(command);
    const name = /^[\w./+-]+/.exec(command)?.[0] ?? "NAME";
    const hint =
      rule === undefined
        ? `${describeCommands(commands)} The owner can allow it: drydock policy allow command ${name}.`
        : explainDenyRule("commands.deny", rule, undefined);
    return { code: "command_denied", reason: `The command ${what} is not allowed: ${reason}. ${hint}` };
  }
  return null;
}
