import { createPathRules } from "../../policy/index.ts";
import { runOnTree } from "../verify/judge-context.ts";
import type { RepairPorts, RepairRequest } from "./repair-types.ts";

/** For starting, loading and ending, in addition to the requested time. */
const SPARE_SECONDS = 60;

interface DriverOptions {
  command: string[];
  /** Of the policy's memory, for the process of one candidate. */
  memoryShare: number;
  /** What it is told whatever the job. */
  always: Record<string, unknown>;
}

/** A program that is run in a sandbox on the tree for each job; the result resolves with what it printed. */
export function createDriver(
  { tree, signal }: Pick<RepairRequest, "tree" | "signal">,
  { runner, policy }: RepairPorts,
  { command, memoryShare, always }: DriverOptions,
) {
  const rules = createPathRules(policy);
  const context = { tree, before: null, policy, rules, runner, signal, services: [], noteChanged: () => {} };
  const memoryMb = Math.floor(policy.limits.memoryMb * memoryShare);
  return async (job: string, seconds: number, values: Record<string, unknown>): Promise<string> => {
    const { stdout } = await runOnTree(context, {
      command,
      stdin: JSON.stringify({ ...always, job, seconds, memoryMb, ...values }),
      timeoutSeconds: seconds + SPARE_SECONDS,
      network: [...policy.network.allow],
    });
    return stdout;
  };
}
