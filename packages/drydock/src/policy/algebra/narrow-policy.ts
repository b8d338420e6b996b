import type { EffectivePolicy } from "@drydock/protocol";
import { resolvePolicy } from "../resolve-policy.ts";
import { coversHost } from "../rules/host-rules.ts";
import { createPathRules, type PathRules } from "../rules/path-rules.ts";

/** The part of `wanted` that lies within `ceiling`, key by key. */
export function intersectPolicies(wanted: EffectivePolicy, ceiling: EffectivePolicy): EffectivePolicy {
  const home = { file: "the outer policy", document: ceiling, positions: {} };
  return resolvePolicy({ home, preset: wanted }).effective;
}

export interface Narrowing {
  /** Of these hosts, those that the policy allows, and no upstreams; absent: all that it allows. */
  hosts?: readonly string[];
  /** At most this time. */
  wallSeconds?: number;
}

/** The same policy with fewer hosts or less time, never more of either. */
export function narrowPolicy(policy: EffectivePolicy, { hosts, wallSeconds }: Narrowing): EffectivePolicy {
  const { network, limits } = policy;
  const reached = hosts ? { allow: withinHosts(hosts, network.allow), upstreams: [] } : network;
  const seconds = Math.min(wallSeconds ?? limits.wallSeconds, limits.wallSeconds);
  return { ...policy, network: reached, limits: { ...limits, wallSeconds: seconds } };
}

/** The same policy with as much of these limits as is needed, within the ceiling. */
export function raiseLimits(
  policy: EffectivePolicy,
  ceiling: EffectivePolicy,
  needed: Partial<Pick<EffectivePolicy["limits"], "memoryMb" | "processes" | "openFiles">>,
): EffectivePolicy {
  const limits = { ...policy.limits };
  for (const key of ["memoryMb", "processes", "openFiles"] as const) {
    limits[key] = Math.max(limits[key], Math.min(needed[key] ?? 0, ceiling.limits[key]));
  }
  return { ...policy, limits };
}

/** The policy of a step: its own limits and guard, on the network and the files that the session was opened with. */
export function keepSessionAccess(step: EffectivePolicy, { network, files }: EffectivePolicy): EffectivePolicy {
  return { ...step, network, files };
}

/** The same rules with writing limited to `scope`. */
export function narrowWrites(rules: PathRules, { files }: EffectivePolicy, scope: readonly string[]): PathRules {
  const narrow = createPathRules({ files: { ...files, write: [...scope] } });
  return { ...rules, writable: (path) => rules.writable(path) && narrow.writable(path) };
}

/** Of `wanted`, the hosts that `allowed` covers. */
export function withinHosts(wanted: readonly string[], allowed: readonly string[]): string[] {
  return wanted.filter((host) => allowed.some((entry) => coversHost(entry, host)));
}
