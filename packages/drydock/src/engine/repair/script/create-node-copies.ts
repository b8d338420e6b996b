import { DrydockError } from "@drydock/protocol";
import type { WarmCommand } from "../../source/recognize-command.ts";
import { createDriver } from "../driver/create-driver.ts";
import type { RepairPorts, RepairRequest } from "../repair-types.ts";
import { NODE_COPY_DRIVER } from "./node-copy-driver.ts";
import { NODE_ZYGOTE } from "./node-zygote.ts";

/** A copy loads everything anew. */
const COPY_MS = 400;

interface NodeCopiesOptions {
  files: readonly string[];
  command: Extract<WarmCommand, { language: "node" }>;
  /** Of the policy's memory, for the heap of one copy. */
  memoryShare: number;
}

type RunDriver = ReturnType<typeof createDriver>;

/**
 * Tries candidates in trial forks of Node. Null where the sandbox makes none, or has no Python to ask for them: then nobody
 * asks again.
 */
export function createNodeCopies(
  request: Pick<RepairRequest, "tree" | "signal">,
  ports: RepairPorts,
  { files, command, memoryShare }: NodeCopiesOptions,
) {
  const runDriver = createDriver(request, ports, {
    command: ["python3", "-c", NODE_COPY_DRIVER],
    memoryShare: 0,
    always: { files, ...command, kind: "node", zygote: NODE_ZYGOTE, loadSeconds: 1, passing: [] },
  });
  const nodeMb = Math.floor(ports.policy.limits.memoryMb * memoryShare);
  let isRefused = false;
  let isProven = false;
  return async (
    job: string,
    time: Parameters<RunDriver>[1],
    input: Record<string, unknown> & { allowedMs: number },
    watch: Parameters<RunDriver>[3],
  ): Promise<string | null> => {
    if (isRefused) return null;
    const isStopped = () => request.signal?.aborted === true || watch?.stop?.aborted === true;
    try {
      const text = await runDriver(job, time, { ...input, nodeMb, copyMs: input.allowedMs * 2 + COPY_MS }, watch);
      // After one that was made, what is left is tried in another sandbox.
      const hasNone = /^\{"copies": ?false/m.test(text) && !/^\{"copies": ?true/m.test(text);
      isRefused = hasNone || (text === "" && !isStopped());
      isProven ||= !isRefused;
      return isRefused ? null : text;
    } catch (error) {
      if (isProven || isStopped() || !(error instanceof DrydockError)) throw error;
      isRefused = true;
      return null;
    }
  };
}
