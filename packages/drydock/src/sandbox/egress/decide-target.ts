import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./address-scope.ts";
import type { IsOwnServer } from "./own-servers.ts";
import {
  canonicalAddress,
  dottedAddress,
  type EgressTarget,
  formatTarget,
  isUnusualNumericHost,
  parseTarget,
} from "./parse-target.ts";

/** `NAME.dock`: the hosts by which runs know upstreams. */
export function isUpstreamHost(host: string): boolean {
  return host === "dock" || host.endsWith(".dock");
}

/** What a run's policy says about hosts. */
export interface EgressRule {
  /** The policy's entries, `host:port` each. */
  allow: readonly string[];
  /** Does an entry cover this lower-case name, dotted IPv4 or unbracketed IPv6 address, and this port? */
  match: (host: string, port: number) => boolean;
  /** Refuses what the policy can't allow: servers of Drydock itself. */
  isOwnServer?: IsOwnServer;
}

/** All addresses of a name, in the order in which they should be tried. */
export type ResolveHost = (host: string) => Promise<string[]>;

export type TargetDecision =
  /** Connect to these addresses and no others: resolving the name again could give different ones. */
  | { kind: "admitted"; target: EgressTarget; addresses: string[] }
  /** `remedy` is what the owner would have to allow; null where allowing it would be meaningless. */
  | { kind: "refused"; host: string; port: number; reason: string; remedy: string | null }
  | { kind: "malformed"; reason: string }
  | { kind: "unresolved"; target: EgressTarget; reason: string };

/**
 * Decides on the host of the request line alone. The order matters: a name that the policy does not cover is never
 * resolved, because the query itself would carry data out.
 */
export async function decideTarget(
  rule: EgressRule,
  authority: string,
  defaultPort: number | undefined,
  resolveHost: ResolveHost,
): Promise<TargetDecision> {
  const parsed = parseTarget(authority, defaultPort);
  if (parsed.kind === "malformed") return parsed;
  if (parsed.kind === "ambiguous") return { ...parsed, kind: "refused", remedy: null };
  const { target } = parsed;
  const { host, port } = target;

  if (isUnusualNumericHost(host) && !isNamed(rule.allow, host, port)) {
    const reason = "an IPv4 address has to be written as four decimal numbers";
    return { kind: "refused", host, port, reason, remedy: null };
  }
  if (isUpstreamHost(host)) {
    // The names are Drydock's own: they are never resolved, whatever a list of hosts says.
    const reason = "upstreams are reached by plain HTTP requests (http://NAME.dock/…), not by tunnels or other ports";
    return { kind: "refused", host, port, reason, remedy: null };
  }
  if (!rule.match(host, port)) {
    const reason = "the run's network policy does not allow it";
    return { kind: "refused", host, port, reason, remedy: formatTarget(host, port) };
  }
  const addresses = await findAddresses(host, resolveHost);
  if (addresses.length === 0) return { kind: "unresolved", target, reason: `the name ${host} could not be resolved` };

  if (await rule.isOwnServer?.(addresses, port)) {
    const reason = "it is the server of Drydock's own database, which no run reaches";
    return { kind: "refused", host, port, reason, remedy: null };
  }
  const closed = addresses.find((address) => !isOpenAddress(rule.allow, target, address));
  if (closed !== undefined) {
    const means = closed === host ? "it is" : `${host} resolves to ${closed},`;
    const reason = `${means} an address of this machine or its private network, which the policy has to name itself`;
    return { kind: "refused", host, port, reason, remedy: formatTarget(closed, port) };
  }
  return { kind: "admitted", target, addresses };
}

/**
 * A name that anybody may point anywhere (DNS rebinding), or a wildcard, must not open this machine, its network or
 * its cloud's metadata service. Those are reached only where the policy names the literal address, or `localhost`.
 */
function isOpenAddress(allow: readonly string[], { host, port }: EgressTarget, address: string): boolean {
  if (isPublicAddress(address) || isNamed(allow, address, port)) return true;
  if (host === "localhost") return isNamed(allow, host, port) && isLoopbackAddress(address);
  return isUnusualNumericHost(host) && isNamed(allow, host, port);
}

/** Is there an entry that spells out exactly this host (no wildcard in it), and this port or every port? */
function isNamed(allow: readonly string[], host: string, port: number): boolean {
  return allow.some((entry) => {
    const colon = entry.lastIndexOf(":");
    const entryHost = entry.slice(0, colon).toLowerCase();
    const entryPort = entry.slice(colon + 1);
    const plainHost = canonicalAddress(entryHost.replace(/^\[(.*)\]$/, "$1")) ?? entryHost;
    return plainHost === host && (entryPort === String(port) || entryPort === "*");
  });
}

async function findAddresses(host: string, resolveHost: ResolveHost): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  if (isUnusualNumericHost(host)) {
    const dotted = dottedAddress(host);
    return dotted === null ? [] : [dotted];
  }
  const addresses = await resolveHost(host).catch(() => []);
  // An address with a zone, or anything else that can't be classified, can't be vetted either.
  return addresses.map(canonicalAddress).filter((address) => address !== null);
}
