import {
  describeCommands,
  describePathPatternProblem,
  explainDenyRule,
  loadShellCheck,
} from "../../../policy/index.ts";
import { quote } from "../check-finding.ts";
import type { CheckProblem, RefusalContext } from "./check-descriptor.ts";

const MAX_CHARS = { command: 16_384, needle: 65_536, pattern: 1024, expression: 16_384, schema: 1024 * 1024 };

export function findLengthProblem(what: keyof typeof MAX_CHARS, text: string): CheckProblem | null {
  if (text.length <= MAX_CHARS[what]) return null;
  return { code: "too_long", reason: `The ${what} is longer than ${MAX_CHARS[what]} characters.` };
}

/** Every text contains the empty one: a check for it would prove nothing. */
export function findNeedleProblem(needle: string): CheckProblem | null {
  if (needle === "") return { code: "empty_needle", reason: "The text to look for is empty." };
  return findLengthProblem("needle", needle);
}

export function findGlobProblem(glob: string): CheckProblem | null {
  const problem = describePathPatternProblem(glob);
  return problem === null ? null : { code: "illegal_path", reason: `The glob ${quote(glob)} ${problem}.` };
}

export function findReportProblem(junit: string | undefined): CheckProblem | null {
  return junit === undefined ? null : findGlobProblem(junit);
}

export async function findCommandProblems(
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
