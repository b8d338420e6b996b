import { isIP, isIPv6 } from "node:net";

interface HostEntry {
  /** The normal form; `*` for every host, and for `*.example.org` what follows the star, with its dot. */
  host: string;
  wildcard: boolean;
  /** `null` stands for every port. */
  port: number | null;
}

/**
 * Brings a host into the one form in which it is compared: lower case, IDN in ASCII, IPv4 in dotted decimals, IPv6
 * shortened and in brackets, no trailing dot. `null` for what is no host, such as text that a URL parser would take
 * for a user, a path or a port.
 */
export function normalizeHost(text: string): string | null {
  if (text.length === 0 || text.length > 1024) return null;
  const inner = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (inner.includes(":")) {
    if (!isIPv6(inner) || inner.includes("%")) return null;
    return parseHostname(`[${inner}]`);
  }
  if (inner !== text || !/^[\p{L}\p{M}\p{N}._\-。．｡\u200c\u200d]+$/u.test(text)) return null;
  const host = parseHostname(text)?.replace(/\.$/, "");
  if (!host || host.length > 253) return null;
  const labels = host.split(".");
  return labels.every((label) => label.length > 0 && label.length <= 63) ? host : null;
}

function parseHostname(text: string): string | null {
  return URL.parse(`http://${text}/`)?.hostname || null;
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || isIP(host) !== 0;
}

function parsePort(text: string): number | null {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65535 ? Number(text) : null;
}

function parseHostEntry(text: string): HostEntry | string {
  const colon = text.lastIndexOf(":");
  const hostText = text.slice(0, Math.max(colon, 0));
  const portText = text.slice(colon + 1);
  const bareIPv6 = isIPv6(text) || (hostText.includes(":") && !hostText.startsWith("["));
  if (bareIPv6) return "must be host:port, and an IPv6 address stands in brackets, such as [::1]:443";
  if (colon < 0 || hostText === "") return `must be host:port, such as ${hostText || text || "example.org"}:443`;
  const port = portText === "*" ? null : parsePort(portText);
  if (port === null && portText !== "*") return "has no port between 1 and 65535 (or * for any) after the last colon";
  if (hostText === "*") return { host: "*", wildcard: true, port };
  const wildcard = hostText.startsWith("*.");
  const host = normalizeHost(wildcard ? hostText.slice(2) : hostText);
  if (host === null || (wildcard && isAddress(host))) {
    return "has no valid host: a name, an address, or *. before a name";
  }
  return { host: wildcard ? `.${host}` : host, wildcard, port };
}

export function describeHostEntryProblem(text: string): string | null {
  const entry = parseHostEntry(text);
  return typeof entry === "string" ? entry : null;
}

function matchesHost(entry: HostEntry, host: string): boolean {
  if (!entry.wildcard) return entry.host === host;
  if (entry.host === "*") return true;
  return !isAddress(host) && host.length > entry.host.length && host.endsWith(entry.host);
}

/** Tells whether a connection to this host and port is on the list. `*.example.org` does not stand for `example.org`. */
export function matchHost(allow: readonly string[], host: string, port: number): boolean {
  const normal = normalizeHost(host);
  if (normal === null || !Number.isInteger(port) || port < 1 || port > 65535) return false;
  return allow.some((text) => {
    const entry = parseHostEntry(text);
    return typeof entry !== "string" && (entry.port === null || entry.port === port) && matchesHost(entry, normal);
  });
}

/** Everything that `entry` admits, `ceiling` admits too. */
export function coversHost(ceiling: string, entry: string): boolean {
  const outer = parseHostEntry(ceiling);
  const inner = parseHostEntry(entry);
  if (typeof outer === "string" || typeof inner === "string") return false;
  if (outer.port !== null && outer.port !== inner.port) return false;
  if (outer.wildcard && outer.host === "*") return true;
  if (!inner.wildcard) return matchesHost(outer, inner.host);
  return outer.wildcard && inner.host !== "*" && inner.host.endsWith(outer.host);
}
