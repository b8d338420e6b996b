import { createPathRules } from "../../../policy/index.ts";
import { runOnTree } from "../../verify/judge-context.ts";
import type { RepairPorts, RepairRequest } from "../repair-types.ts";
import type { TrialWatch } from "../workshop.ts";
import { watchDriver } from "./watch-driver.ts";

/** For starting, loading and ending, in addition to the requested time. */
const SPARE_SECONDS = 60;
/** For the last candidate, in addition to its tests' time: a process that loads the tests anew is given so long. */
const LOADING_SECONDS = 20;

interface DriverOptions {
  command: string[];
  /** Of the policy's memory, for the process of one candidate. */
  memoryShare: number;
  /** Input for every job. */
  always: Record<string, unknown>;
}

export interface DriverTime {
  seconds: number;
  /** Of all tests of one candidate together. */
  wallSeconds?: number;
}

/**
 * A program that is run in a sandbox on the tree for each job; the result resolves with what it printed. One that a
 * candidate has stopped is ended with its sandbox, and so is one of which nothing more is wanted.
 */
export function createDriver(
  { tree, signal }: Pick<RepairRequest, "tree" | "signal">,
  { runner, policy }: RepairPorts,
  { command, memoryShare, always }: DriverOptions,
) {
  const rules = createPathRules(policy);
  const context = { tree, before: null, policy, rules, runner, services: [], noteChanged: () => {} };
  const hasHosts = policy.network.allow.length > 0;
  const memoryMb = Math.floor(policy.limits.memoryMb * memoryShare);
  return async (
    job: string,
    { seconds, wallSeconds = 0 }: DriverTime,
    values: Record<string, unknown>,
    watch: TrialWatch = {},
  ): Promise<string> => {
    const mostMs = (seconds + LOADING_SECONDS + 3 * wallSeconds) * 1000;
    const watched = watchDriver(signal, watch, { mostMs });
    try {
      const { stdout } = await runOnTree(
        { ...context, signal: watched.signal },
        {
          command,
          stdin: JSON.stringify({ ...always, job, seconds, wallSeconds, memoryMb, hasHosts, ...values }),
          timeoutSeconds: seconds + SPARE_SECONDS,
          network: [...policy.network.allow],
          forks: job !== "survey",
          onStdout: watched.take,
        },
      );
      return stdout;
    } catch (error) {
      if (signal?.aborted || !watched.signal.aborted) throw error;
      return watched.text();
    } finally {
      watched.end();
    }
  };
}
