import { basename } from "node:path";
import { DrydockError, type EffectivePolicy, type ExtensionPermissions, type PolicyDocument } from "@drydock/protocol";
import { hostNotGrantedError, listCandidates, type RunnerKind } from "../../extensions/index.ts";
import { grantPermissions, matchHost, permitsCommand, type ResolvedPolicy } from "../../policy/index.ts";
import { commandDeniedError } from "../execute/index.ts";

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
  programs: RunnerKind["programs"];
}

/** What the extension asks for where the caller says nothing else; held within the owner's ceiling. */
export function presetFor({ limits }: ExtensionPermissions, timeoutSeconds: number): PolicyDocument {
  return {
    python: { guard: "open" },
    limits: { cpuSeconds: Math.max(timeoutSeconds, 1), ...limits, wallSeconds: timeoutSeconds },
  };
}

export function grantPolicy(resolved: ResolvedPolicy, request: GrantRequest): Grant {
  const { permissions, extension } = request;
  const { policy, commands } = grantPermissions(resolved, permissions, request.timeoutSeconds);
  const tools = new Set(permissions.tools.flatMap(listCandidates));
  return {
    policy,
    checkCommand(argv) {
      if (request.programs === "own") return;
      const [program = "", ...words] = argv;
      const tool = basename(program);
      if (!tools.has(tool)) throw toolNotGranted(tool, extension);
      const named = [tool, ...words];
      if (!permitsCommand(commands, named)) throw commandDeniedError({ argv: named, commands }, resolved);
    },
    checkHost(host, port) {
      if (matchHost(policy.network.allow, host, port)) return;
      // What was agreed to, and the policy does not let through, only the policy can allow.
      const isDeclared = permissions.hosts.includes("policy") || matchHost(permissions.hosts, host, port);
      throw hostNotGrantedError(`${host}:${port}`, extension, isDeclared ? ["policy"] : permissions.hosts);
    },
  };
}

function toolNotGranted(tool: string, extension: string): DrydockError {
  return new DrydockError(
    "policy.command_denied",
    `The extension ${extension} may not use ${tool}.`,
    "Add the tool to permissions.tools in its extension.yaml, then install the extension again and approve it.",
    { extension, command: tool },
  );
}
