import { randomUUID } from "node:crypto";
import { type CheckFinding, failed, passed, quote, refused } from "../check-finding.ts";
import { type HttpAnswer, runDriver } from "../inside/run-driver.ts";
import type { JudgeContext } from "../judge-context.ts";
import { controlNeedle } from "../proof/control/other-needles.ts";
import type { CheckOf, CheckProblem, DescriptorOf, RefusalContext } from "./check-descriptor.ts";
import { findCommandProblems, findNeedleProblem } from "./check-problems.ts";
import { describeServices, judgeEnding } from "./command-checks.ts";
import { readHttpTarget } from "./http-target.ts";

const DEFAULT_SECONDS = 10;
const DEFAULT_STATUS = 200;
const BODY_BYTES = 1024 * 1024;
const SHOWN_CHARS = 2000;
/** What starting and ending the run takes, beside the request's own time. */
const GRACE_SECONDS = 10;

type HttpCheck = CheckOf<"http_check">;

export const httpCheck: DescriptorOf<"http_check"> = {
  judge: judgeHttp,
  refuse: refuseHttp,
  runs: true,
  isJudgedByStatus: false,
  comparesTrees: false,
  control: async (check, _context, judge) =>
    check.contains === undefined
      ? null
      : controlNeedle(check.contains, (contains) => ({ ...check, contains }), judge, randomUUID()),
  prompt: '{"type":"http_check","url","expected_status"?,"contains"?,"start"?}',
  rule: "An address has to answer as expected.",
  isAboutPath: false,
};

/** The services that a request is made beside: its own, or else those of earlier checks. */
function servicesFor(check: HttpCheck, earlier: readonly string[]): readonly string[] {
  return check.start === undefined ? earlier : [check.start];
}

async function refuseHttp(check: HttpCheck, context: RefusalContext): Promise<CheckProblem | null> {
  const services = servicesFor(check, context.services);
  const target = readHttpTarget(check.url, context.policy.network.allow, services.length > 0);
  if (target.kind === "refused") return target;
  if (check.contains !== undefined && findNeedleProblem(check.contains)) return findNeedleProblem(check.contains);
  return target.kind === "inside"
    ? findCommandProblems(services, context)
    : findCommandProblems([check.start], context);
}

async function judgeHttp(check: HttpCheck, context: JudgeContext): Promise<CheckFinding> {
  const all = servicesFor(check, context.services);
  const target = readHttpTarget(check.url, context.policy.network.allow, all.length > 0);
  if (target.kind === "refused") return refused(target.code, target.reason);
  const services = target.kind === "inside" || check.start !== undefined ? all : [];
  const seconds = Math.min(check.timeout ?? DEFAULT_SECONDS, context.policy.limits.wallSeconds);
  const request = { services, target: { ...target, seconds, limit: BODY_BYTES } };
  const { result, report } = await runDriver(context, request, seconds + GRACE_SECONDS);
  if (!report?.answer) {
    const evidence = { stderr: result.stderr.slice(-SHOWN_CHARS) };
    return judgeEnding(`The request to ${check.url}`, result.error, seconds, evidence);
  }
  return judgeAnswer(check, report.answer, target, seconds, describeServices(report.services));
}

function judgeAnswer(
  check: HttpCheck,
  answer: HttpAnswer,
  { host, port }: { host: string; port: number },
  seconds: number,
  services: Record<string, unknown>,
): CheckFinding {
  const { url, contains, expected_status: wanted = DEFAULT_STATUS } = check;
  if (answer.refused !== undefined) {
    const reason = `The policy does not allow connections to ${host}:${port}. The owner can allow it: drydock policy allow network ${host}:${port}.`;
    return refused("network_denied", reason, { proxy: answer.refused, ...services });
  }
  if (answer.unreachable !== undefined) {
    const reason = `${url} could not be reached within ${seconds} s: ${answer.unreachable}.`;
    return failed("unreachable", reason, services);
  }
  const { status, body = "", type, location } = answer;
  if (status === undefined) {
    const detail = answer.broken === undefined ? "" : ` (${answer.broken})`;
    return failed("bad_answer", `${url} sent a response that is not valid HTTP${detail}.`, services);
  }
  const evidence = { status, type, ...(location && { location }), body: body.slice(0, SHOWN_CHARS), ...services };
  if (status !== wanted) return failed("status", `${url} answered ${status}, not ${wanted}.`, evidence);
  if (contains !== undefined && !body.includes(contains)) {
    return failed("not_found", `${url} answered ${status}, without ${quote(contains)} in its body.`, evidence);
  }
  const held = contains === undefined ? "" : ` with ${quote(contains)}`;
  return passed(`${url} answered ${status}${held}.`, evidence);
}
