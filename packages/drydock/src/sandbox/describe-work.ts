import { type EffectivePolicy, KERNEL_LIMITS, type KernelLimits } from "@drydock/protocol";
import type { RunRequest } from "./run-request.ts";
import { MEMBER_LIMITS } from "./start-fork-server-early.ts";

export interface Work {
  language: "python" | "node" | "bash" | "command";
  code: string;
  argv?: readonly string[];
  args?: readonly string[];
  filename?: string;
}

/** The limits in the units of the kernel part: sizes are whole bytes. */
export function describeLimits({ limits }: EffectivePolicy): KernelLimits {
  const sent: Partial<KernelLimits> = {};
  for (const { key, sentAs, kernelFactor } of KERNEL_LIMITS) {
    sent[sentAs] = kernelFactor === 1 ? limits[key] : Math.floor(limits[key] * kernelFactor);
  }
  return sent as KernelLimits;
}

export function describeGuard({ python }: EffectivePolicy) {
  return { mode: python.guard, allow: python.imports.allow, block: python.imports.block, calls: python.calls.block };
}

/** Whether the code has input, and whether it has to ask for it: only Python's own streams can. */
export function describeInput({ work, stdin, onInput }: Pick<RunRequest, "work" | "stdin" | "onInput">) {
  const asks = stdin === undefined && onInput !== undefined && work.language === "python";
  return { input: stdin !== undefined || asks, asks: asks || undefined };
}

/** The code process's part of a request. */
export function describeWork(
  work: Work,
  policy: EffectivePolicy,
  environment: Record<string, string>,
  { observe, aside, forks }: Pick<RunRequest, "observe" | "aside" | "forks"> = {},
) {
  const common = {
    observe: observe || undefined,
    aside: aside || undefined,
    forks: forks || undefined,
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

const BUILT_LIMITS = Object.keys(MEMBER_LIMITS) as (keyof typeof MEMBER_LIMITS)[];

/**
 * Members are built for the default limits. A request with these limits and no mounts needs no preparation; nor does a network that is
 * allowed, before the code connects.
 */
export function isPlain(request: {
  workspace?: unknown;
  seed?: unknown;
  mounts?: unknown;
  home?: unknown;
  live?: unknown;
  code: ReturnType<typeof describeWork>;
}): boolean {
  const { limits } = request.code;
  const usual = BUILT_LIMITS.every((name) => limits[name] === MEMBER_LIMITS[name]);
  const extras = [request.code.forks, request.workspace, request.seed, request.mounts, request.home, request.live];
  return usual && extras.every((extra) => extra === undefined);
}
