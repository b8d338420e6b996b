import { isIP } from "node:net";
import { HttpProblem } from "./http-problem.ts";

/** What only looks. A browser names no origin with it where the page is the server's own. */
const SAFE = ["GET", "HEAD"];

/**
 * A browser sends its cookies with whatever asks this server, and so does a page of another server on the same machine:
 * cookies know no ports. A request by cookie counts if a page of this very server sent it.
 */
export function requireOwnPage(headers: Headers, method: string, hostnames: readonly string[]): void {
  const host = headers.get("host");
  const origin = headers.get("origin");
  if (host === null || !isKnownHost(host, hostnames)) {
    throw new HttpProblem(403, {
      code: "policy.network_denied",
      message: `This server does not go by the name ${host ?? "that was asked for"}.`,
      hint: "Open it by its address, or start it with `drydock serve --hostname NAME`.",
    });
  }
  if (origin !== null) {
    if (URL.canParse(origin) && new URL(origin).host === host) return;
    throw foreignPage(origin);
  }
  if (!SAFE.includes(method)) throw foreignPage("no origin");
  const site = headers.get("sec-fetch-site") ?? "same-origin";
  if (site !== "same-origin" && site !== "none") throw foreignPage("another origin");
}

/** A name that somebody else can point at this machine is not ours. An address can't be pointed elsewhere. */
function isKnownHost(host: string, hostnames: readonly string[]): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0 || hostnames.includes(hostname);
}

function foreignPage(origin: string): HttpProblem {
  return new HttpProblem(403, {
    code: "policy.network_denied",
    message: `A page of ${origin} may not use this server.`,
    hint: "Use the console at the server's own address. Programs send `Authorization: Bearer TOKEN`.",
  });
}
