import type { Check, ErrorInfo } from "@drydock/protocol";
import type { TreeRunResult } from "../ports.ts";
import { type Finding, failed, passed, quote, refused, tailOf } from "./finding.ts";
import { runDriver, type ServiceReport } from "./inside/run-driver.ts";
import { type JudgeContext, runOnTree } from "./judge-context.ts";

const DEFAULT_SECONDS = 300;
const SERVICE_TAIL_CHARS = 2000;

type CommandCheck = Extract<Check, { type: "command" | "command_contains" }>;

interface Ran {
  result: TreeRunResult;
  exitCode: number | null;
  services: ServiceReport[];
}

/** Both ways of judging a command: by its exit status, or by what it printed. */
export async function judgeCommand(check: CommandCheck, context: JudgeContext): Promise<Finding> {
  const seconds = check.timeout ?? DEFAULT_SECONDS;
  const { result, exitCode, services } = await runCommand(check, context, seconds);
  const evidence = {
    exitCode,
    stdout: tailOf(result.stdout),
    stderr: tailOf(result.stderr),
    ...describeServices(services),
  };
  const ended = services.find((service) => service.ended !== null && service.ended !== 0);
  if (exitCode === null && ended) {
    const reason = `The service ${quote(ended.start)} ended with status ${ended.ended} before the command could run.`;
    return failed("service_ended", reason, evidence);
  }
  if (exitCode === null)
    return judgeEnding(result.error, Math.min(seconds, context.policy.limits.wallSeconds), evidence);
  if (check.type === "command") return judgeStatus(check.expect_exit_code ?? 0, exitCode, check.cmd, evidence);
  const stream = (["stdout", "stderr"] as const).find((name) => result[name].includes(check.needle));
  const status = `It ended with status ${exitCode}.`;
  if (stream) return passed(`${quote(check.cmd)} printed ${quote(check.needle)} (${stream}). ${status}`, evidence);
  return failed("not_found", `${quote(check.cmd)} did not print ${quote(check.needle)}. ${status}`, evidence);
}

async function runCommand({ cmd, start }: CommandCheck, context: JudgeContext, seconds: number): Promise<Ran> {
  if (start !== undefined) {
    const { result, report } = await runDriver(context, { services: [start], command: cmd }, seconds);
    return { result, exitCode: report?.exitCode ?? null, services: report?.services ?? [] };
  }
  const network = [...context.policy.network.allow];
  const result = await runOnTree(context, { language: "bash", code: cmd, timeoutSeconds: seconds, network });
  return { result, exitCode: result.exitCode, services: [] };
}

function judgeStatus(wanted: number, exitCode: number, cmd: string, evidence: Record<string, unknown>): Finding {
  if (exitCode === wanted) return passed(`${quote(cmd)} ended with status ${exitCode}.`, evidence);
  return failed("exit_code", `${quote(cmd)} ended with status ${exitCode}, not ${wanted}.`, evidence);
}

/** A run that did not come to its own end. */
export function judgeEnding(error: ErrorInfo | null, seconds: number, evidence: Record<string, unknown>): Finding {
  if (!error) return failed("no_answer", "The check ended without saying what it found.", evidence);
  if (error.code === "limit.timeout") return failed("timeout", `It did not end within ${seconds} s.`, evidence);
  const told = { ...evidence, error: { code: error.code, message: error.message, hint: error.hint } };
  if (error.code.startsWith("policy.")) return refused(error.code.slice("policy.".length), error.message, told);
  return failed(error.code.replace(/^(limit|code)\./, ""), error.message, told);
}

export function describeServices(services: readonly ServiceReport[]): Record<string, unknown> {
  if (services.length === 0) return {};
  return { services: services.map((each) => ({ ...each, output: tailOf(each.output, SERVICE_TAIL_CHARS) })) };
}
