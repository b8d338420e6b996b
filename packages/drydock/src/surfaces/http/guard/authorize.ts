import { isIP } from "node:net";
import { TOKEN_SCOPES, type TokenScope } from "@drydock/protocol";
import { HttpProblem } from "./http-problem.ts";

/** Throws where the caller may not come in, or not for this. Without a method only what looks is allowed by a cookie. */
export type Authorize = (headers: Headers, scope: TokenScope, method?: string) => void;

/** What a caller may do, by what it shows; null where that opens nothing. */
export type FindScope = (headers: Headers, method: string) => TokenScope | null;

/**
 * The caller sends the owner's token, which allows everything, or one with a scope; a page sends a cookie that stands for
 * one of these.
 */
export function requireToken(findScope: FindScope): Authorize {
  return (headers, scope, method = "GET") => {
    const held = findScope(headers, method);
    if (held !== null) {
      if (TOKEN_SCOPES.indexOf(held) >= TOKEN_SCOPES.indexOf(scope)) return;
      throw new HttpProblem(403, {
        message: `This token has the scope ${held}; the request needs ${scope}.`,
        hint: `The server's owner makes one: \`drydock token create --scope ${scope}\`.`,
      });
    }
    const message = headers.get("authorization") === null ? "The request has no token." : "The token is wrong.";
    const hint =
      "Send `Authorization: Bearer TOKEN`. The server's owner makes one: `drydock token create --scope run`.";
    throw new HttpProblem(401, { message, hint }, { "www-authenticate": 'Bearer realm="drydock"' });
  };
}

/** The token that a program shows; null for none, or for something else. */
export function readBearer(headers: Headers): string | null {
  const [, shown = null] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  return shown;
}

/**
 * Without a token, a page in the user's own browser must not pass for the user: it gives itself away by its origin, and
 * one that has had its name changed to 127.0.0.1 by the host it asks for.
 */
export function requireLocalPage(): Authorize {
  return (headers) => {
    const host = headers.get("host");
    const origin = headers.get("origin");
    const isForeign = origin !== null && (host === null || origin.replace(/^https?:\/\//, "") !== host);
    if (!isForeign && (host === null || isLoopback(hostnameOf(host)))) return;
    throw new HttpProblem(403, {
      code: "policy.network_denied",
      message: `A page of ${origin ?? host} may not use this server.`,
      hint: "Without a token only programs on this machine may send requests. Start the server with a token for others.",
    });
  };
}

export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "::1" || host === "[::1]";
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}
