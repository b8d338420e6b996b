import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

/** A host and port that can mean one thing only: a lower-case name, a dotted IPv4 or a canonical IPv6 without brackets. */
export interface EgressTarget {
  host: string;
  port: number;
}

export type ParsedTarget =
  | { kind: "target"; target: EgressTarget }
  /** Two readers could take it for two different hosts: it is refused and reported, never resolved. */
  | { kind: "ambiguous"; host: string; port: number; reason: string }
  | { kind: "malformed"; reason: string };

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const PORT = /^[1-9][0-9]{0,4}$/;
/** The last label of what resolvers read as an IPv4 address in octal, hexadecimal, decimal or shortened form. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)$/;

/** Reads `host:port` as a request line gives it. `defaultPort` is for `http://host/`; CONNECT has none. */
export function parseTarget(authority: string, defaultPort?: number): ParsedTarget {
  const { rawHost, rawPort } = splitAuthority(decodeUtf8(authority));
  const port = rawPort === undefined ? defaultPort : parsePort(rawPort);
  if (port === undefined) return { kind: "malformed", reason: "the request names no port from 1 to 65535" };
  if (rawHost === "") return { kind: "malformed", reason: "the request names no host" };
  const ambiguous = (reason: string): ParsedTarget => ({ kind: "ambiguous", host: printable(rawHost), port, reason });

  if (rawHost.includes("@")) return ambiguous("a user name before the host is not accepted");
  if (rawHost.includes("%")) return ambiguous("percent-encoding and zone ids in a host are not accepted");
  if (rawHost.startsWith("[")) {
    const address = canonicalAddress(rawHost.slice(1, -1));
    if (address === null || !rawHost.endsWith("]")) return ambiguous("this is not an IPv6 address");
    return { kind: "target", target: { host: address, port } };
  }
  const host = toAsciiHost(rawHost);
  if (host === null) return ambiguous("this host has no unambiguous ASCII form");
  if (!NAME.test(host)) return ambiguous("this is not a host name");
  return { kind: "target", target: { host, port } };
}

/** Is this a number that a resolver would take for an IPv4 address, written otherwise than as four decimal parts? */
export function isUnusualNumericHost(host: string): boolean {
  return ENDS_IN_NUMBER.test(host) && !isIPv4(host);
}

/** The one spelling of an address that is used for comparing; null when it is no plain address. */
export function canonicalAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  if (!isIPv6(text) || text.includes("%")) return null;
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

/** The dotted form of a numeric host, by the same reading as a resolver's; null when there is none. */
export function dottedAddress(numericHost: string): string | null {
  const hostname = URL.parse(`http://${numericHost}/`)?.hostname;
  return hostname !== undefined && isIPv4(hostname) ? hostname : null;
}

/** `host:port` as it is written in a policy. */
export function formatTarget(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function splitAuthority(authority: string): { rawHost: string; rawPort: string | undefined } {
  const colon = authority.lastIndexOf(":");
  // The colons of an IPv6 address stand inside its brackets.
  if (colon === -1 || colon < authority.lastIndexOf("]")) return { rawHost: authority, rawPort: undefined };
  return { rawHost: authority.slice(0, colon), rawPort: authority.slice(colon + 1) };
}

function parsePort(text: string): number | undefined {
  if (!PORT.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}

function toAsciiHost(rawHost: string): string | null {
  if (/^[\x21-\x7e]+$/.test(rawHost)) return rawHost.toLowerCase();
  const ascii = domainToASCII(rawHost);
  // Without an encoded label the name only looked foreign: full-width digits and the like are disguises of an ASCII host.
  return ascii.split(".").some((label) => label.startsWith("xn--")) ? ascii : null;
}

/** The HTTP parser hands bytes over as Latin-1. */
function decodeUtf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

/** What the run sent, fit for a header, a ledger line and a terminal. */
function printable(text: string): string {
  return text.slice(0, 255).replace(/[^\x21-\x7e]/g, "?");
}
