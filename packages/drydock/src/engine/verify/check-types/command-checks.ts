import type { ErrorInfo } from "@drydock/protocol";
import type { TreeRunResult } from "../../ports.ts";
import { differing } from "../changed-paths.ts";
import { type CheckFinding, type CommandRun, failed, passed, quote, refused, tailOf } from "../check-finding.ts";
import type { ServiceReport } from "../inside/run-driver.ts";
import type { JudgeContext } from "../judge-context.ts";
import type { CommandCheck } from "../proof/records/base-record.ts";
import { runWitnessed } from "../witness/run-witnessed.ts";
import type { WitnessReport } from "../witness/witness-report.ts";
import type { DescriptorOf } from "./check-descriptor.ts";
import { findCommandProblems, findNeedleProblem, findReportProblem } from "./check-problems.ts";

const DEFAULT_SECONDS = 300;
/** Of processor time, without the end of a test. */
const STALL_SECONDS = 12;
const SERVICE_TAIL_CHARS = 2000;
const STALLED = `A test did not end: in ${STALL_SECONDS} s of processor time there was no result.`;
const NO_ANSWER =
  "The check's process was gone before it reported an exit status. Run the command by hand in `drydock exec`.";

export const commandCheck: DescriptorOf<"command"> = {
  judge: judgeCommand,
  refuse: ({ junit, start, cmd }, context) => findReportProblem(junit) ?? findCommandProblems([start, cmd], context),
  runs: true,
  isJudgedByStatus: true,
  comparesTrees: false,
  prompt: '{"type":"command","cmd","timeout"?,"expect_exit_code"?,"start"?}',
  rule: "A command has to end with the expected status.",
  isAboutPath: false,
};

export const commandContainsCheck: DescriptorOf<"command_contains"> = {
  judge: judgeCommand,
  refuse: ({ needle, junit, start, cmd }, context) =>
    findNeedleProblem(needle) ?? findReportProblem(junit) ?? findCommandProblems([start, cmd], context),
  runs: true,
  isJudgedByStatus: false,
  comparesTrees: false,
  prompt: '{"type":"command_contains","cmd","needle"}',
  rule: "A command has to print a text.",
  isAboutPath: false,
};

/** Both ways of judging a command: by its exit status, or by what it printed as well. */
async function judgeCommand(check: CommandCheck, context: JudgeContext): Promise<CheckFinding> {
  const seconds = check.timeout ?? DEFAULT_SECONDS;
  const { cmd: command, junit, start } = check;
  const services = start === undefined ? [] : [start];
  const mode = context.watch === "decisions" ? "decisions" : context.watch === undefined ? "report" : "record";
  const observe = context.watch === "observe";
  const stallSeconds = context.endsStalled ? STALL_SECONDS : undefined;
  const request = { command, services, junit, mode, observe, stallSeconds } as const;
  const { result, report } = await runWitnessed(context, request, seconds);
  const ran: CommandRun = {
    report,
    observed: result.observed ?? null,
    wrote: differing(context.tree.layer?.entries ?? [], result.layer.entries).sort(),
    touched: result.touched ?? null,
  };
  return { ...judgeRun(check, context, seconds, result, report), ran };
}

function judgeRun(
  check: CommandCheck,
  context: JudgeContext,
  seconds: number,
  result: TreeRunResult,
  report: WitnessReport | null,
): CheckFinding {
  const { exitCode = null, services = [] } = report ?? {};
  const evidence = {
    exitCode,
    stdout: tailOf(result.stdout),
    stderr: tailOf(result.stderr),
    ...describeServices(services),
    // Where somebody else observes the sandbox already, or it has no such means.
    ...(context.watch === "observe" && !result.observed && { observed: false }),
  };
  const ended = services.find((service) => service.ended !== null && service.ended !== 0);
  if (exitCode === null && ended) {
    const reason = `The service ${quote(ended.start)} ended with status ${ended.ended} before the command could run.`;
    return failed("service_ended", reason, evidence);
  }
  const limit = Math.min(seconds, context.policy.limits.wallSeconds);
  if (exitCode === null && report?.stalled) return failed("timeout", STALLED, evidence);
  if (exitCode === null && report && !result.error)
    return failed("timeout", describeTimeout(quote(check.cmd), limit), evidence);
  if (exitCode === null) return judgeEnding(quote(check.cmd), result.error, limit, evidence);
  const wanted = check.expect_exit_code ?? 0;
  const status = judgeStatus(wanted, exitCode, check.cmd, evidence);
  // On a change, the missing report is compared with that of the untouched tree.
  const isReported = report?.runners.some(({ name, complete }) => name === "junit" && complete) ?? false;
  if (check.junit !== undefined && context.before === null && status.verdict === "passed" && !isReported) {
    const reason = `${quote(check.cmd)} ended with status ${exitCode}, and wrote no complete JUnit XML to ${check.junit}.`;
    return failed("no_report", reason, evidence);
  }
  if (context.before === null && status.verdict === "passed" && ranNothing(check.cmd, report)) {
    const runners = [...new Set(report?.runners.map(({ name }) => name))].join(" and ");
    const reason = `${quote(check.cmd)} ended with status ${exitCode}, and ${runners} ran no test, so it proves nothing.`;
    return failed("no_tests", reason, evidence);
  }
  if (check.type === "command") return status;
  const stream = (["stdout", "stderr"] as const).find((name) => result[name].includes(check.needle));
  const ending = `It ended with status ${exitCode}.`;
  if (!stream) {
    return failed("not_found", `${quote(check.cmd)} did not print ${quote(check.needle)}. ${ending}`, evidence);
  }
  if (status.verdict !== "passed") return status;
  return passed(`${quote(check.cmd)} printed ${quote(check.needle)} (${stream}). ${ending}`, evidence);
}

/** Whether test runners reported, and none of them had a test. Who says that this may be says it in the command. */
function ranNothing(command: string, report: WitnessReport | null): boolean {
  if (!report || report.runners.length === 0 || /pass-?with-?no-?tests/i.test(command)) return false;
  return report.tests.length === 0 && report.named.length === 0 && report.runners.every(({ complete }) => complete);
}

function judgeStatus(wanted: number, exitCode: number, cmd: string, evidence: Record<string, unknown>): CheckFinding {
  if (exitCode === wanted) return passed(`${quote(cmd)} ended with status ${exitCode}.`, evidence);
  return failed("exit_code", `${quote(cmd)} ended with status ${exitCode}, not ${wanted}.`, evidence);
}

/** A run that did not come to its own end; `what` names it in the reason. */
export function judgeEnding(
  what: string,
  error: ErrorInfo | null,
  seconds: number,
  evidence: Record<string, unknown>,
): CheckFinding {
  if (!error) return failed("no_answer", NO_ANSWER, evidence);
  if (error.code === "limit.timeout") return failed("timeout", describeTimeout(what, seconds), evidence);
  const evidenceWithError = { ...evidence, error: { code: error.code, message: error.message, hint: error.hint } };
  if (error.code.startsWith("policy."))
    return refused(error.code.slice("policy.".length), error.message, evidenceWithError);
  return failed(error.code.replace(/^(limit|code)\./, ""), error.message, evidenceWithError);
}

function describeTimeout(what: string, seconds: number): string {
  return `${what} did not finish within ${seconds} s.`;
}

export function describeServices(services: readonly ServiceReport[]): Record<string, unknown> {
  if (services.length === 0) return {};
  return { services: services.map((each) => ({ ...each, output: tailOf(each.output, SERVICE_TAIL_CHARS) })) };
}
