import { createHash, timingSafeEqual } from "node:crypto";
import type { TokenScope } from "@drydock/protocol";
import { digestToken, loadHttpTokens, loadSignIns } from "../../../app/index.ts";
import { readBearer } from "../guard/authorize.ts";
import { requireOwnPage } from "../guard/own-page.ts";

/** What somebody who is signed in has. */
interface SignedIn {
  scope: TokenScope;
  expiresAtMs: number;
}

/** Who may come in, by a token or by the cookie of a page. */
export interface SignIns {
  findScope(headers: Headers, method: string): TokenScope | null;
  /** Of the cookie alone. */
  find(headers: Headers): SignedIn | null;
  /** Gives the header that sets the cookie; null where the code or the token opens nothing. */
  signIn(by: { code: string } | { token: string }, headers: Headers): Promise<string | null>;
  /** Ends the sign-in, and gives the header that removes the cookie. */
  signOut(headers: Headers): Promise<string>;
}

/** Files that can't be read open nothing. The reason goes to the owner, once until they can be read, and not to the caller. */
export async function createSignIns(options: {
  home: string;
  token: string;
  hostnames: readonly string[];
}): Promise<SignIns> {
  const { home, hostnames } = options;
  const { findTokenScope } = await loadHttpTokens();
  const store = await loadSignIns();
  const owner = digestToken(options.token);
  // Servers of one machine share their cookies, whatever their ports; those of one home share their sign-ins as well.
  const name = `drydock_${createHash("sha256").update(home).digest("hex").slice(0, 8)}`;
  const orWarn = createWarning();

  /** The comparison takes constant time, so that the time of an answer reveals nothing about the token. */
  const scopeOf = (digest: Buffer): TokenScope | null =>
    timingSafeEqual(digest, owner) ? "admin" : orWarn(() => findTokenScope(home, digest));
  const find = (headers: Headers): SignedIn | null => {
    const cookie = readCookie(headers, name);
    const found = cookie === null ? null : orWarn(() => store.findSignIn(home, cookie));
    const scope = found && scopeOf(found.token);
    return found && scope && { scope, expiresAtMs: found.expiresAtMs };
  };
  return {
    findScope(headers, method) {
      const shown = readBearer(headers);
      if (shown !== null) return scopeOf(digestToken(shown));
      const found = headers.get("authorization") === null ? find(headers) : null;
      if (found === null) return null;
      requireOwnPage(headers, method, hostnames);
      return found.scope;
    },
    find,
    async signIn(by, headers) {
      requireOwnPage(headers, "POST", hostnames);
      const made = "code" in by ? await store.redeemSignInCode(home, by.code) : await byToken(by.token);
      if (made === null) return null;
      const seconds = Math.floor((made.expiresAtMs - Date.now()) / 1000);
      return writeCookie(name, made.cookie, seconds, headers);
    },
    async signOut(headers) {
      requireOwnPage(headers, "POST", hostnames);
      const cookie = readCookie(headers, name);
      if (cookie !== null) await store.removeSignIn(home, cookie);
      return writeCookie(name, "", 0, headers);
    },
  };

  async function byToken(token: string) {
    const digest = digestToken(token);
    return scopeOf(digest) === null ? null : store.createSignIn(home, digest);
  }
}

function readCookie(headers: Headers, name: string): string | null {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) || null;
}

/** No script reads it, and no page of another site sends it. */
function writeCookie(name: string, value: string, maxAgeSeconds: number, headers: Headers): string {
  const secure = headers.get("origin")?.startsWith("https://") ? "; Secure" : "";
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

function createWarning() {
  let lastWarning: string | null = null;
  return <T>(act: () => T): T | null => {
    try {
      const found = act();
      lastWarning = null;
      return found;
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastWarning) process.emitWarning(message, "DrydockWarning");
      lastWarning = message;
      return null;
    }
  };
}
