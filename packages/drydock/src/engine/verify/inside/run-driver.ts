import { randomBytes } from "node:crypto";
import type { TreeRunResult } from "../../ports.ts";
import { type JudgeContext, runOnTree } from "../judge-context.ts";
import { loadHooks } from "../witness/load-hooks.ts";
import { DRIVER } from "./driver.ts";

export interface ServiceReport {
  start: string;
  /** Its exit status; null where it was still running. */
  ended: number | null;
  output: string;
}

export interface HttpAnswer {
  status?: number;
  location?: string | null;
  type?: string | null;
  body?: string;
  unreachable?: string;
  refused?: string;
  broken?: string;
}

export interface DriverReport {
  answer?: HttpAnswer;
  services: ServiceReport[];
}

export interface DriverRequest {
  services: readonly string[];
  target: { kind: string; url: string; host: string; port: number; seconds: number; limit: number };
}

/** How long a service may take until it listens, before the command is run all the same. */
export const READY_SECONDS = 10;

/** Makes a request beside its services. The report is null where the driver did not get to its end. */
export async function runDriver(
  context: JudgeContext,
  request: DriverRequest,
  timeoutSeconds: number,
): Promise<{ result: TreeRunResult; report: DriverReport | null }> {
  // What runs beside it writes to the same stream: a marker that it can't know, and the driver's own good end, tell them
  // apart.
  const marker = `drydock-check-${randomBytes(12).toString("hex")} `;
  const { hide, services } = loadHooks("report");
  const result = await runOnTree(context, {
    command: ["python3", "-I", "-c", `${hide}\n${services}\n${DRIVER}`],
    trusted: true,
    stdin: JSON.stringify({ ...request, marker }),
    timeoutSeconds: timeoutSeconds + READY_SECONDS * request.services.length,
    network: [...context.policy.network.allow],
  });
  const at = result.stderr.lastIndexOf(`\n${marker}`);
  if (at < 0 || result.exitCode !== 0) return { result, report: null };
  const report = readReport(result.stderr.slice(at + 1 + marker.length));
  return { result: { ...result, stderr: result.stderr.slice(0, at) }, report };
}

function readReport(text: string): DriverReport | null {
  try {
    return JSON.parse(text.split("\n")[0] ?? "") as DriverReport;
  } catch {
    return null;
  }
}
