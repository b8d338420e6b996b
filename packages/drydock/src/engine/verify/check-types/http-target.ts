import { matchHost } from "../../../policy/index.ts";
import { quote } from "../check-finding.ts";

export type HttpTarget =
  /** `inside`: the sandbox's own loopback, where the services are. `proxy`: through the egress proxy, as the policy allows. */
  | { kind: "inside" | "proxy"; url: string; host: string; port: number }
  | { kind: "refused"; code: "illegal_url" | "network_denied" | "too_long"; reason: string };

const MAX_URL_CHARS = 2048;
const LOOPBACK = /^(localhost|([^.]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where the address of a check leads, or why it leads nowhere. */
export function readHttpTarget(text: string, allow: readonly string[], hasService: boolean): HttpTarget {
  const illegal = (problem: string) =>
    ({ kind: "refused", code: "illegal_url", reason: `The URL ${quote(text)} ${problem}.` }) as const;
  if (text.length > MAX_URL_CHARS) {
    return { kind: "refused", code: "too_long", reason: `The URL is longer than ${MAX_URL_CHARS} characters.` };
  }
  if (/[\p{Cc}\s]/u.test(text)) return illegal("holds a space or a control character");
  const url = URL.parse(text);
  if (!url) return illegal("can't be read");
  if (url.protocol !== "http:" && url.protocol !== "https:") return illegal("is neither http nor https");
  if (url.username !== "" || url.password !== "") return illegal("holds a user or a password");
  url.hash = "";
  const host = url.hostname.replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port);
  if (host === "" || port === 0) return illegal("names no host and port");
  const place = { url: url.href, host, port };
  if (hasService && LOOPBACK.test(host)) return { kind: "inside", ...place };
  if (matchHost(allow, host, port)) return { kind: "proxy", ...place };
  const start = LOOPBACK.test(host) ? " or `start` the service in the check itself" : "";
  return {
    kind: "refused",
    code: "network_denied",
    reason: `The policy does not allow connections to ${host}:${port}. The owner can allow it: drydock policy allow network ${host}:${port}${start && `,${start}`}.`,
  };
}
