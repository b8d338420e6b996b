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
    `Connections to ${targets.join(", ")} were refused. Work without the network, or change the policy. ` +
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
export function explainNoNetwork(context: FailureContext): ErrorInfo {
  const targets = findAsked(context);
  return {
    code: "policy.network_denied",
    message: "The code tried to use the network, which the policy does not allow.",
    hint: `Use only files of the work directory, or change the policy. ${explainAllowList("network.allow", targets, context.rules)}`,
    refused: [],
  };
}

const PROXY = "127.0.0.1:3128";

/** Hosts are allowed, and the code did not ask the proxy for them. Nothing else leads out. */
export function explainDirectConnection({ policy }: FailureContext): ErrorInfo {
  return {
    code: "policy.network_denied",
    message: "The code tried to connect by itself. Connections leave the sandbox through its proxy only.",
    hint: hintAtProxy(listReachable(policy)),
    refused: [],
  };
}

/** Hosts of the list, and the names of upstreams. */
function listReachable({ network }: FailureContext["policy"]): string[] {
  return [...network.allow, ...network.upstreams.map((name) => `http://${name}.dock`)];
}

const MAX_HOSTS = 5;

function hintAtProxy(allow: readonly string[]): string {
  const hosts = `${allow.slice(0, MAX_HOSTS).join(", ")}${allow.length > MAX_HOSTS ? " and others" : ""}`;
  return (
    `The proxy at ${PROXY} reaches the hosts that the policy allows (${hosts}) and resolves their names. ` +
    "HTTP_PROXY and HTTPS_PROXY name it, and most HTTP clients use it by themselves: do not switch that off. " +
    `For another protocol open a TCP connection to ${PROXY} and send \`CONNECT HOST:PORT HTTP/1.1\` and an empty line. UDP does not leave the sandbox.`
  );
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\]):/i;

/** A server of this machine that the policy allows; inside, the address is the sandbox's own. */
export function hintAtLoopback({ policy }: FailureContext): string | undefined {
  const host = policy.network.allow.find((entry) => LOOPBACK.test(entry));
  if (host === undefined) return undefined;
  return `Inside, localhost is the sandbox's own: ${host} of this machine is reached through the proxy at ${PROXY} only (HTTP_PROXY and HTTPS_PROXY name it).`;
}

const UNREACHABLE =
  /Network is unreachable|Could(?:n't| not) resolve host|Temporary failure in name resolution|Name or service not known|nodename nor servname|EAI_AGAIN|ENOTFOUND|ENETUNREACH/i;

const ADDRESS =
  /\b(https?|ftp):\/\/(?:[^\s/@"'`]*@)?([a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?(?=[/?#\s"'`)\]}>,;\\]|$)/gi;
const PORTS: Record<string, number> = { http: 80, https: 443, ftp: 21 };
const NAMED =
  /(?:resolve host|connect to|ENOTFOUND|EAI_AGAIN):? ([a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+)/gi;
const MAX_ASKED = 3;
const MAX_SOURCE_CHARS = 100_000;

/**
 * What the code wanted to reach, as the policy would write it: hosts that its program names as unreachable, and else those of
 * the addresses in its text. Only what looks like a host is taken over.
 */
function findAsked({ source = "", stderr = "" }: FailureContext): string {
  const written = new Map<string, string>();
  for (const [, scheme = "", host = "", port] of source.slice(0, MAX_SOURCE_CHARS).matchAll(ADDRESS)) {
    if (host.length <= 253 && Number(port ?? 1) <= 65_535)
      written.set(host.toLowerCase(), formatTarget(host, Number(port ?? PORTS[scheme.toLowerCase()])));
  }
  const named = [...stderr.matchAll(NAMED)].map(([, host = ""]) => written.get(host.toLowerCase()) ?? `${host}:443`);
  const targets = new Set(named.length > 0 ? named : written.values());
  return targets.size === 0 || targets.size > MAX_ASKED ? "HOST:PORT" : [...targets].join(" ");
}

/** A program that says only in its own words that it found no way out. */
export function hintAtUnreachable(context: FailureContext): string | undefined {
  const { policy, rules, stderr = "" } = context;
  if (!UNREACHABLE.test(stderr)) return undefined;
  const reachable = listReachable(policy);
  return reachable.length > 0
    ? `Connections leave the sandbox through its proxy only. ${hintAtProxy(reachable)}`
    : `The policy allows no network. ${explainAllowList("network.allow", findAsked(context), rules)}`;
}
