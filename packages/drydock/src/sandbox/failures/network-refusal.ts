import type { ErrorInfo } from "@drydock/protocol";
import { explainAllowList, matchHost } from "../../policy/index.ts";
import { formatTarget } from "../egress/parse-target.ts";
import type { FailureContext } from "./failure-context.ts";

/** The targets that were refused because the policy does not name them, as the policy would write them. */
export function findRefusal({ refused, policy }: FailureContext): string[] | undefined {
  const targets = refused
    .filter(({ host, port }) => !matchHost(policy.network.allow, host, port))
    .map(({ host, port }) => formatTarget(host, port));
  return targets.length > 0 ? [...new Set(targets)] : undefined;
}

export function hintAtRefusal(targets: readonly string[], { rules }: FailureContext): string {
  return (
    `Connections to ${targets.join(", ")} were refused. Work without the network, or have it allowed. ` +
    explainAllowList("network.allow", targets.join(" "), rules)
  );
}

export function explainRefusedNetwork(targets: readonly string[], context: FailureContext): ErrorInfo {
  return {
    code: "policy.network_denied",
    message: `The policy does not allow connections to ${targets.join(", ")}.`,
    hint: hintAtRefusal(targets, context),
    refused: targets,
  };
}

/** The code tried, and nothing reached the proxy that could be named: there is no network at all. */
export function explainNoNetwork({ rules }: FailureContext): ErrorInfo {
  return {
    code: "policy.network_denied",
    message: "The code tried to use the network, which the policy does not allow.",
    hint: `Work with what is in the work directory, or have a host allowed. ${explainAllowList("network.allow", "HOST:PORT", rules)}`,
    refused: [],
  };
}
