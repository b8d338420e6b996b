import { readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { digestToken, loadHttpTokens, loadSignIns } from "../../../app/index.ts";
import { openTestServer } from "../testing/open-test-server.ts";

const { createHttpToken, revokeHttpToken } = await loadHttpTokens();
const { createSignInCode, redeemSignInCode, createSignIn, findSignIn, CODE_MS, COOKIE_MS } = await loadSignIns();
const place = openTestServer({ warm: 0, hostnames: ["drydock.example.org"] });
const home = () => place.server.dock.home;
const own = () => ({ origin: place.server.url, "content-type": "application/json" });

type Headers = Record<string, string>;

/** Whatever a program or a browser can send, `Host` and `Origin` included. */
function send(method: string, path: string, headers: Headers = {}, body?: unknown) {
  return new Promise<{ status: number; cookie: string | null; value: Record<string, unknown> }>((done, fail) => {
    const sent = request(`${place.server.url}${path}`, { method, headers }, async (response) => {
      const chunks = await response.toArray();
      const text = Buffer.concat(chunks).toString();
      const value = text.startsWith("{") ? JSON.parse(text) : {};
      done({ status: response.statusCode ?? 0, cookie: response.headers["set-cookie"]?.[0] ?? null, value });
    });
    sent.on("error", fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function takeCode(): Promise<string> {
  return new URL(await place.server.createConsoleAddress()).hash.slice("#code=".length);
}

async function signIn(by?: { code: string } | { token: string }): Promise<string> {
  const { status, cookie } = await send("POST", "/api/sign-in", own(), by ?? { code: await takeCode() });
  expect(status).toBe(200);
  return (cookie ?? "").split(";")[0] ?? "";
}

describe("a browser that signs in", () => {
  it("gets a cookie for a code, which no script reads and no other site sends", async () => {
    const { status, cookie } = await send("POST", "/api/sign-in", own(), { code: await takeCode() });
    expect([status, cookie]).toEqual([
      200,
      expect.stringMatching(/^drydock_[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=60\d{4}$/),
    ]);
    const [pair = ""] = cookie?.split(";") ?? [];
    expect((await send("GET", "/runs", { cookie: pair })).status).toBe(200);
    expect((await send("POST", "/execute", { ...own(), cookie: pair }, { code: "1" })).status).toBe(200);
    expect((await send("GET", "/secrets", { cookie: pair })).status).toBe(200);
    expect((await send("GET", "/api/sign-in", { cookie: pair })).value).toMatchObject({
      required: true,
      scope: "admin",
    });
    expect((await send("GET", "/api/sign-in")).value).toEqual({ required: true, scope: null, expiresAt: null });
  });

  it("gets a cookie for TLS only, where a proxy speaks TLS", async () => {
    const headers = { ...own(), host: "drydock.example.org", origin: "https://drydock.example.org" };
    const { cookie } = await send("POST", "/api/sign-in", headers, { code: await takeCode() });
    expect(cookie).toMatch(/; Secure$/);
  });

  it("has what its token opens, and nothing once that is revoked", async () => {
    const { token } = await createHttpToken(home(), { scope: "read", name: "screen" });
    const cookie = await signIn({ token });
    expect((await send("GET", "/runs", { cookie })).status).toBe(200);
    expect((await send("POST", "/execute", { ...own(), cookie }, { code: "1" })).status).toBe(403);
    expect((await send("GET", "/secrets", { cookie })).status).toBe(403);
    await revokeHttpToken(home(), "screen");
    expect((await send("GET", "/runs", { cookie })).status).toBe(401);
  });

  it("is out after it signed out, with a copy of the cookie as well", async () => {
    const cookie = await signIn();
    const out = await send("DELETE", "/api/sign-in", { ...own(), cookie });
    expect([out.status, out.cookie]).toEqual([200, expect.stringContaining("Max-Age=0")]);
    expect((await send("GET", "/runs", { cookie })).status).toBe(401);
  });
});

describe("attacks on the sign-in", () => {
  it("a code that was seen works once, and not after ten minutes", async () => {
    const code = await takeCode();
    await signIn({ code });
    const again = await send("POST", "/api/sign-in", own(), { code });
    expect([again.status, again.cookie]).toEqual([401, null]);
    expect(again.value).toMatchObject({
      error: { code: "input.invalid", hint: expect.stringContaining("drydock open") },
    });
    const owner = digestToken(place.server.token ?? "");
    const old = await createSignInCode(home(), owner, Date.now() - CODE_MS - 1);
    expect(await redeemSignInCode(home(), old)).toBeNull();
    const { cookie } = await createSignIn(home(), owner, Date.now() - COOKIE_MS - 1);
    expect(findSignIn(home(), cookie)).toBeNull();
  });

  it("of many who redeem a code at once, one gets in", async () => {
    const code = await takeCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send("POST", "/api/sign-in", own(), { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  });

  it.each([
    ["no origin", {}],
    ["another site", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:3000" }],
    ["a name that somebody points here", { origin: "http://evil.example", host: "evil.example" }],
    ["a hidden origin", { origin: "null" }],
  ])("a page of %s changes nothing, and signs nobody in", async (_, headers: Headers) => {
    const cookie = await signIn();
    const json = { "content-type": "application/json" };
    const execute = await send("POST", "/execute", { ...json, ...headers, cookie }, { code: "1" });
    expect([execute.status, execute.value]).toMatchObject([403, { error: { code: "policy.network_denied" } }]);
    expect((await send("POST", "/mcp", { ...json, ...headers, cookie }, {})).status).toBe(403);
    expect((await send("DELETE", "/api/sign-in", { ...headers, cookie })).status).toBe(403);
    expect((await send("POST", "/api/sign-in", { ...json, ...headers }, { code: await takeCode() })).status).toBe(403);
  });

  it.each(["cross-site", "same-site"])("a picture or a frame of a page that is %s reads nothing", async (site) => {
    const cookie = await signIn();
    const { status } = await send("GET", "/runs", { cookie, "sec-fetch-site": site });
    expect(status).toBe(403);
    expect((await send("GET", "/runs", { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await send("GET", "/runs", { cookie, host: "evil.example" })).status).toBe(403);
  });

  it.each([
    ["no origin", undefined, 403],
    ["another port of this machine", "http://127.0.0.1:3000", 403],
    ["another site", "https://evil.example", 403],
    ["the console", "own", 101],
  ])("a WebSocket by the cookie, from %s", async (_, origin, wanted) => {
    const cookie = await signIn();
    const headers = { cookie, ...(origin && { origin: origin === "own" ? place.server.url : origin }) };
    const url = `${place.server.url.replace("http", "ws")}/host/socket?conversation_id=none`;
    const socket = new WebSocket(url, { headers });
    const status = await new Promise<number>((done) => {
      socket.on("unexpected-response", (sent, response) => {
        done(response.statusCode ?? 0);
        sent.destroy();
      });
      socket.on("open", () => done(101));
      socket.on("error", () => {});
    });
    socket.terminate();
    expect(status).toBe(wanted);
  });

  it("neither a code, a cookie nor the token is in the file, which is the owner's alone", async () => {
    const code = await takeCode();
    const cookie = await signIn();
    const file = join(home(), "http", "sign-ins.json");
    const text = readFileSync(file, "utf8");
    const secrets = [code, cookie.split("=")[1] ?? "", place.server.token ?? ""];
    expect(secrets.map((secret) => [secret.length > 20, text.includes(secret)])).toEqual(
      secrets.map(() => [true, false]),
    );
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("a file of sign-ins that others can write opens nothing", async () => {
    const cookie = await signIn();
    const file = join(home(), "http", "sign-ins.json");
    const { chmodSync } = await import("node:fs");
    const warnings: string[] = [];
    const hear = ({ message }: Error) => warnings.push(message);
    process.on("warning", hear);
    onTestFinished(() => {
      process.off("warning", hear);
      rmSync(file);
    });
    chmodSync(file, 0o666);
    expect((await send("GET", "/runs", { cookie })).status).toBe(401);
    expect(warnings.join()).toContain("others can change it");
    const refused = await send("POST", "/api/sign-in", own(), { code: "x".repeat(43) });
    expect(refused.value).toMatchObject({ error: { code: "input.invalid" } });
  });

  it("a wrong cookie, another's name and a token in its place open nothing", async () => {
    const cookie = await signIn();
    const [name = ""] = cookie.split("=");
    for (const wrong of [`${name}=`, `${name}=${"x".repeat(43)}`, `other_${cookie}`, `${name}=${place.server.token}`]) {
      expect([wrong, (await send("GET", "/runs", { cookie: wrong })).status]).toEqual([wrong, 401]);
    }
    const both = { cookie, authorization: "Bearer wrong" };
    expect((await send("GET", "/runs", both)).status).toBe(401);
  });
});
