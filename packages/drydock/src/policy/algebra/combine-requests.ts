import { DrydockError, type EffectivePolicy, type PolicyDocument } from "@drydock/protocol";
import { coversHost } from "../rules/host-rules.ts";

type Sections = Record<string, Record<string, unknown>>;

/** Both requests, key by key; where both name a key, the second one's value. */
export function overlayRequests(
  first: PolicyDocument | undefined,
  second: PolicyDocument | undefined,
): PolicyDocument | undefined {
  if (!first || !second) return second ?? first;
  const merged: Record<string, unknown> = { ...first };
  for (const [section, value] of Object.entries(second)) {
    const before = merged[section];
    merged[section] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged as PolicyDocument;
}

/** An inner request within an outer one: the outer one's sections hold; of its hosts and limits the inner may ask for less. */
export function narrowRequest(
  outer: PolicyDocument | undefined,
  inner: PolicyDocument | undefined,
): PolicyDocument | undefined {
  if (!outer || !inner) return outer ?? inner;
  return {
    ...inner,
    ...outer,
    network: narrowNetwork(outer.network, inner.network),
    limits: narrowLimits(outer.limits, inner.limits),
  };
}

/** The policy's values of all keys that the requests name. */
export function pickNamedKeys(
  policy: EffectivePolicy,
  requests: readonly (PolicyDocument | undefined)[],
): PolicyDocument | undefined {
  const picked: Sections = {};
  for (const [section, keys] of requests.flatMap((request) => Object.entries(request ?? {}))) {
    if (!isObject(keys)) continue;
    const values = (policy as unknown as Sections)[section] ?? {};
    for (const key of Object.keys(keys)) picked[section] = { ...picked[section], [key]: values[key] };
  }
  return Object.keys(picked).length === 0 ? undefined : (picked as PolicyDocument);
}

/** The same request with the Python guard off. */
export function withoutGuard(request: PolicyDocument | undefined): PolicyDocument {
  return { ...request, python: { ...request?.python, guard: "off" } };
}

/** A list as requests write it: alone, or with its ceiling. */
export function listOf(value: string[] | { default?: string[]; max?: string[] } | undefined): string[] | undefined {
  return Array.isArray(value) ? value : (value?.max ?? value?.default);
}

export function hostDeniedByCallError(host: string): DrydockError {
  const hint = "Add the host to `network.allow` in the policy of the call.";
  return new DrydockError("policy.network_denied", `The call's policy does not allow ${host}.`, hint, { host });
}

function narrowNetwork(outer: PolicyDocument["network"], inner: PolicyDocument["network"]): PolicyDocument["network"] {
  const allowed = listOf(outer?.allow);
  const wanted = listOf(inner?.allow);
  if (!allowed || !wanted) return outer ?? inner;
  const denied = wanted.find((host) => !allowed.some((entry) => coversHost(entry, host)));
  if (denied !== undefined) throw hostDeniedByCallError(denied);
  return { allow: wanted };
}

function narrowLimits(outer: PolicyDocument["limits"], inner: PolicyDocument["limits"]): PolicyDocument["limits"] {
  if (!outer || !inner) return outer ?? inner;
  const both = Object.entries(outer).map(([key, value]) => {
    const other = inner[key as keyof typeof inner];
    return [key, typeof value === "number" && typeof other === "number" ? Math.min(value, other) : value];
  });
  return { ...inner, ...Object.fromEntries(both) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same request for code that nobody has read yet: the guard is strict. */
export function withStrictGuard(request: PolicyDocument | undefined): PolicyDocument {
  return { ...request, python: { ...request?.python, guard: "strict" } };
}
