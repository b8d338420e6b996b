import { randomBytes } from "node:crypto";
import type { TreeRunResult } from "../../ports.ts";
import { READY_SECONDS } from "../inside/run-driver.ts";
import { type JudgeContext, runOnTree } from "../judge-context.ts";
import { loadHooks } from "./load-hooks.ts";
import { readReport } from "./read-report.ts";
import type { WitnessReport } from "./witness-report.ts";

export interface WitnessRequest {
  command: string;
  services: readonly string[];
  /**
   * `record` also records which files and modules were opened or imported, and by which file; `decisions` as well which
   * answers decided over the comparisons of tests.
   */
  mode: "report" | "record" | "decisions";
  /** Whether the sandbox notes, from outside, what each program opens. */
  observe?: boolean;
  /** Where the command writes JUnit XML: a path or glob. */
  junit?: string;
  /** Ends the command once it has used so much processor time without the end of a test. */
  stallSeconds?: number;
}

/**
 * Runs a command of a check and returns what its test runners themselves reported. The report is null where the driver did
 * not get to its end; one that was sent shortly before the deadline has no exit code.
 */
export async function runWitnessed(
  context: JudgeContext,
  request: WitnessRequest,
  timeoutSeconds: number,
): Promise<{ result: TreeRunResult; report: WitnessReport | null }> {
  // The command writes to the same stream: a marker that it can't know tells them apart.
  const marker = `drydock-check-${randomBytes(12).toString("hex")} `;
  const { hide, driver, services, naming, written } = loadHooks(request.mode);
  const whole = Math.min(timeoutSeconds + READY_SECONDS * request.services.length, context.policy.limits.wallSeconds);
  const result = await runOnTree(context, {
    command: ["python3", "-I", "-S", "-c", `${hide}\n${driver}`],
    trusted: true,
    stdin: JSON.stringify({
      ...{ ...request, marker, naming, servicesCode: services, hooks: written },
      ...{ readySeconds: READY_SECONDS, commandSeconds: Math.min(timeoutSeconds, whole) },
      deadlineSeconds: whole - reserveSeconds(whole),
    }),
    timeoutSeconds: whole,
    network: [...context.policy.network.allow],
    observe: request.observe,
  });
  return takeReport(result, marker);
}

/** How long before the sandbox's deadline the driver reports what there is by then. */
function reserveSeconds(whole: number): number {
  return Math.min(2, Math.max(0.25, whole * 0.05));
}

async function takeReport(
  result: TreeRunResult,
  marker: string,
): Promise<{ result: TreeRunResult; report: WitnessReport | null }> {
  const parts = result.stderr.split(`\n${marker}`);
  if (parts.length === 1) return { result, report: null };
  const [last = "", ...rest] = (parts.at(-1) ?? "").split("\n");
  // What the command wrote after an early report is its own.
  const others = parts.slice(1, -1).map((part) => part.slice(part.indexOf("\n") + 1));
  const stderr = [parts[0], ...others, rest.join("\n")].join("");
  return { result: { ...result, stderr }, report: await readReport(last) };
}
