import type { IncomingMessage } from "node:http";
import { type Upstream, writeCredential } from "./upstream.ts";

const HOP_BY_HOP = [
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade"],
];

/**
 * Not passed on to an upstream: credentials of the run's own, which would let it send data to another account; what asks a
 * server to take another method, path or sender for the real one; what asks for an answer in pieces or in another encoding, in which the
 * key would not be found; what the proxy states anew.
 */
const DROPPED = new Set([
  ...HOP_BY_HOP,
  ...["authorization", "x-api-key", "api-key", "x-goog-api-key", "x-auth-token", "private-token", "cookie"],
  ...["x-http-method", "x-http-method-override", "x-method-override", "x-original-url", "x-rewrite-url"],
  ...["range", "if-range", "accept-charset"],
  ...["forwarded", "via", "x-real-ip", "host", "content-length", "expect", "accept-encoding"],
]);

/** Headers of a request to the upstream, with its key. */
export function outgoingHeaders(request: IncomingMessage, upstream: Upstream): Record<string, string | string[]> {
  const named = (request.headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...DROPPED, ...named, upstream.header.toLowerCase()]);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    // An underscore is a dash to some servers: such a name could stand for one that is dropped.
    const isDropped = dropped.has(name) || name.startsWith("x-forwarded") || name.includes("_");
    if (!isDropped && value !== undefined) headers[name] = value.length === 1 ? (value[0] ?? "") : value;
  }
  // What is compressed can't be searched for the key.
  headers["accept-encoding"] = "identity";
  const credential = writeCredential(upstream);
  if (credential !== null) headers[upstream.header.toLowerCase()] = credential;
  return headers;
}

/** Not passed on to a run: what belongs to one connection, the length before redaction, and state of the owner's account. */
const KEPT_OUTSIDE = new Set([
  ...HOP_BY_HOP,
  ...["content-length", "content-encoding", "set-cookie", "set-cookie2", "alt-svc", "www-authenticate"],
  ...["strict-transport-security", "report-to", "nel"],
]);

/** Headers of an answer to the run. A redirection within the upstream leads back to it; no other is changed. */
export function incomingHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { name, baseUrl, prefix }: Pick<Upstream, "name" | "baseUrl" | "prefix">,
  redact: (text: string) => string,
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [key, value] of Object.entries(headers)) {
    if (value === undefined || KEPT_OUTSIDE.has(key.toLowerCase())) continue;
    kept[key] = Array.isArray(value) ? value.map(redact) : redact(value);
  }
  const { location } = kept;
  if (typeof location === "string" && location.startsWith(`${baseUrl}/`)) {
    kept.location = `http://${name}.dock${prefix}${location.slice(baseUrl.length)}`;
  }
  return kept;
}
