import type { EffectivePolicy } from "@drydock/protocol";
import { MEMBER_BYTES, MEMBER_PROCESSES } from "./start-early.ts";

export interface Work {
  language: "python" | "node" | "bash" | "command";
  code: string;
  argv?: readonly string[];
  args?: readonly string[];
  filename?: string;
}

const MB = 1024 * 1024;

export function describeLimits({ limits }: EffectivePolicy) {
  return {
    wallSeconds: limits.wallSeconds,
    cpuSeconds: limits.cpuSeconds,
    memoryBytes: Math.floor(limits.memoryMb * MB),
    diskBytes: Math.floor(limits.diskMb * MB),
    outputBytes: Math.floor(limits.outputMb * MB),
    openFiles: limits.openFiles,
    processes: limits.processes,
  };
}

export function describeGuard({ python }: EffectivePolicy) {
  return { mode: python.guard, allow: python.imports.allow, block: python.imports.block, calls: python.calls.block };
}

/** The code process's part of a request. */
export function describeWork(
  work: Work,
  policy: EffectivePolicy,
  environment: Record<string, string>,
  observe?: boolean,
) {
  const common = {
    observe: observe || undefined,
    limits: describeLimits(policy),
    guard: describeGuard(policy),
    environment,
    filename: work.filename,
    args: work.args ?? [],
  };
  switch (work.language) {
    case "python":
    case "node":
      return { ...common, mode: "python" };
    case "bash":
      return { ...common, mode: "command", argv: ["bash"], script: true };
    case "command":
      return { ...common, mode: "command", argv: work.argv ?? [] };
    default:
      throw new Error(work.language satisfies never);
  }
}

/** Members are built for the default limits. A request with these limits and no mounts needs no preparation. */
export function isPlain(request: {
  workspace?: unknown;
  network?: unknown;
  seed?: unknown;
  shelves?: unknown;
  code: ReturnType<typeof describeWork>;
}): boolean {
  const { memoryBytes, diskBytes, processes } = request.code.limits;
  const usual = memoryBytes === MEMBER_BYTES && diskBytes === MEMBER_BYTES && processes === MEMBER_PROCESSES;
  const extras = [request.workspace, request.network, request.seed, request.shelves];
  return usual && extras.every((extra) => extra === undefined);
}
