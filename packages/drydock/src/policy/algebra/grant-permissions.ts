import type { EffectivePolicy, ExtensionPermissions } from "@drydock/protocol";
import type { ResolvedPolicy } from "../resolve-policy.ts";
import type { CommandRules } from "../rules/command-rules.ts";
import { pickEnvironment } from "../rules/environment-rules.ts";
import { coversHost } from "../rules/host-rules.ts";
import { narrowPolicy, withinHosts } from "./narrow-policy.ts";

export interface Granted {
  /** Frozen: a policy that stays the same object is searched for secrets once, and not with every run. */
  policy: EffectivePolicy;
  /** The owner's own rules for commands, which hold beside the granted tools. */
  commands: CommandRules;
}

/**
 * What an extension may do: the permissions that the owner agreed to, within the policy. A list from the owner, the
 * workspace or the caller is a ceiling for extensions as well; without one, the consent decides.
 */
export function grantPermissions(
  resolved: ResolvedPolicy,
  permissions: Pick<ExtensionPermissions, "hosts" | "tools" | "environment">,
  timeoutSeconds: number,
): Granted {
  const { effective } = resolved;
  const ceilingOf = (path: string, pick: (policy: EffectivePolicy) => readonly string[]) =>
    resolved.named.includes(path)
      ? pick(resolved.origins[path]?.source === "request" ? effective : resolved.ceiling)
      : null;
  const networkCeiling = ceilingOf("network.allow", ({ network }) => network.allow);
  const variables = ceilingOf("environment.allow", ({ environment }) => environment.allow);
  const names = permissions.environment.filter(
    (name) => variables === null || Object.keys(pickEnvironment(variables, { [name]: "" })).length > 0,
  );
  const { deny } = effective.commands;
  return {
    policy: freeze({
      ...narrowPolicy(effective, { wallSeconds: timeoutSeconds }),
      commands: { allow: [...permissions.tools], deny },
      // An upstream carries the owner's key and budget: consent to an extension's hosts does not lend it those.
      network: { allow: grantHosts(permissions.hosts, networkCeiling), upstreams: [] },
      environment: { allow: [...new Set([...effective.environment.allow, ...names])] },
    }),
    commands: { allow: ceilingOf("commands.allow", ({ commands }) => commands.allow) ?? ["*"], deny },
  };
}

function grantHosts(declared: readonly string[], ceiling: readonly string[] | null): string[] {
  const named = declared.filter((host) => host !== "policy");
  if (ceiling === null) return named;
  const narrower = ceiling.filter((entry) => named.some((host) => coversHost(host, entry)));
  return [...new Set([...withinHosts(named, ceiling), ...narrower, ...(declared.includes("policy") ? ceiling : [])])];
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const item of Object.values(value)) freeze(item);
    Object.freeze(value);
  }
  return value;
}
