import { basename } from "node:path";
import { DrydockError, type EffectivePolicy, type ExtensionPermissions, type PolicyDocument } from "@drydock/protocol";
import { hostNotGranted, listCandidates } from "../../extensions/index.ts";
import { coversHost, matchHost, permitsCommand, pickEnvironment, type ResolvedPolicy } from "../../policy/index.ts";
import { commandDenied } from "../command-denied.ts";

/** What one action of an extension may do: what was agreed to when it was installed, within the policy. */
export interface Grant {
  /** Frozen into the run. */
  policy: EffectivePolicy;
  /** Throws where the extension may not start this program, or the owner's own list does not name it. */
  checkCommand(argv: readonly string[]): void;
  /** Throws where the extension may not reach it. */
  checkHost(host: string, port: number): void;
}

export interface GrantRequest {
  extension: string;
  permissions: ExtensionPermissions;
  timeoutSeconds: number;
  /** Of those that come with Drydock, all but `exec.*` start programs of their own. */
  tools: "declared" | "runner";
}

/** What the extension asks for where the caller says nothing else; held within the owner's ceiling. */
export function presetFor({ limits }: ExtensionPermissions, timeoutSeconds: number): PolicyDocument {
  return {
    python: { guard: "open" },
    limits: { ...limits, wallSeconds: timeoutSeconds, cpuSeconds: Math.max(timeoutSeconds, 1) },
  };
}

/**
 * A list that somebody wrote (the owner, the workspace, the caller) is a ceiling for extensions, too. Where nobody did,
 * the owner's consent to what the extension declares is what allows it.
 */
export function grantPolicy(resolved: ResolvedPolicy, request: GrantRequest): Grant {
  const { effective } = resolved;
  const { permissions, extension } = request;
  const ceilingOf = (path: string, pick: (policy: EffectivePolicy) => readonly string[]) =>
    resolved.named.includes(path)
      ? pick(resolved.origins[path]?.source === "request" ? effective : resolved.ceiling)
      : null;
  const hosts = grantHosts(
    permissions.hosts,
    ceilingOf("network.allow", ({ network }) => network.allow),
  );
  // Where nobody wrote a list, what the owner consented to holds, except for what is denied.
  const allowed = ceilingOf("commands.allow", ({ commands }) => commands.allow) ?? ["*"];
  const commands = { allow: allowed, deny: effective.commands.deny };
  const variables = ceilingOf("environment.allow", ({ environment }) => environment.allow);
  const names = permissions.environment.filter(
    (name) => variables === null || Object.keys(pickEnvironment(variables, { [name]: "" })).length > 0,
  );
  const policy = freeze({
    ...effective,
    commands: { allow: [...permissions.tools], deny: effective.commands.deny },
    network: { allow: hosts },
    environment: { allow: [...new Set([...effective.environment.allow, ...names])] },
    limits: { ...effective.limits, wallSeconds: Math.min(effective.limits.wallSeconds, request.timeoutSeconds) },
  });
  const tools = new Set(permissions.tools.flatMap(listCandidates));
  return {
    policy,
    checkCommand(argv) {
      if (request.tools === "runner") return;
      const [program = "", ...words] = argv;
      const tool = basename(program);
      if (!tools.has(tool)) throw toolNotGranted(tool, extension);
      const named = [tool, ...words];
      if (!permitsCommand(commands, named)) throw commandDenied({ argv: named, commands }, resolved);
    },
    checkHost(host, port) {
      if (matchHost(hosts, host, port)) return;
      // What was agreed to, and the policy does not let through, only the policy can allow.
      const isDeclared = permissions.hosts.includes("policy") || matchHost(permissions.hosts, host, port);
      throw hostNotGranted(`${host}:${port}`, extension, isDeclared ? ["policy"] : permissions.hosts);
    },
  };
}

function grantHosts(declared: readonly string[], ceiling: readonly string[] | null): string[] {
  const named = declared.filter((host) => host !== "policy");
  if (ceiling === null) return named;
  const within = named.filter((host) => ceiling.some((entry) => coversHost(entry, host)));
  const narrower = ceiling.filter((entry) => named.some((host) => coversHost(host, entry)));
  return [...new Set([...within, ...narrower, ...(declared.includes("policy") ? ceiling : [])])];
}

/** A policy that stays the same object is looked through for secrets once, and not with every run. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const item of Object.values(value)) freeze(item);
    Object.freeze(value);
  }
  return value;
}

function toolNotGranted(tool: string, extension: string): DrydockError {
  return new DrydockError(
    "policy.command_denied",
    `The extension ${extension} may not use ${tool}.`,
    "Its extension.yaml has to name the tool under permissions.tools, which is agreed to when it is installed.",
    { extension, command: tool },
  );
}
