import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const SECRET = "only-for-the-one-host-4711";
const received: string[] = [];
const hear = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
  received.push(`${name} ${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
  if (request.url?.startsWith("/to/")) {
    response.writeHead(307, { location: decodeURIComponent(request.url.slice("/to/".length)) }).end();
  } else response.writeHead(200, { "x-long": "x".repeat(12_000) }).end(`${name} here`);
};
const keys = mkdtempSync(join(tmpdir(), "drydock-keys-"));
const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
const files = ["-keyout", join(keys, "key.pem"), "-out", join(keys, "cert.pem")];
execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject], {
  stdio: "ignore",
});
const pair = { key: readFileSync(join(keys, "key.pem")), cert: readFileSync(join(keys, "cert.pem")) };
const secure = createSecureServer(pair, hear("secure"));
const plain = createServer(hear("plain"));
const other = createServer(hear("other"));
const six = createServer(hear("six"));
const listen = (server: typeof plain | typeof secure, host: string) =>
  new Promise<number>((resolve) => server.listen(0, host, () => resolve((server.address() as AddressInfo).port)));
const ports = {
  secure: await listen(secure, "127.0.0.1"),
  plain: await listen(plain, "127.0.0.1"),
  other: await listen(other, "127.0.0.1"),
  six: await listen(six, "::1"),
};

const auth = "auth: { type: bearer, secret: TOKEN }";
const api = describeExtension(
  "api",
  `{ hosts: ["127.0.0.1:${ports.secure}", "127.0.0.1:${ports.plain}", "127.0.0.1:${ports.other}", "[::1]:${ports.six}"], secrets: [TOKEN] }`,
  `      - name: secure
        description: Over TLS.
        runner: api.call
        request: { url: "https://127.0.0.1:${ports.secure}/", ${auth} }
      - name: go
        description: To where the server leads.
        runner: api.call
        arguments: [{ name: target, required: true }]
        request: { url: "http://127.0.0.1:${ports.plain}/to/{{ target }}", ${auth} }
      - name: six
        description: By a literal address.
        runner: api.call
        request: { url: "http://[::1]:${ports.six}/", ${auth} }
`,
);
const test = openExtensionDock({ extensions: [api] });
beforeAll(() => test.dock.extensions.secrets.set("TOKEN", SECRET));
afterAll(() => {
  for (const server of [secure, plain, other, six]) server.close();
  rmSync(keys, { recursive: true });
});

it("tells nobody a secret whose certificate nobody vouches for", async () => {
  expect(await test.error("/api secure")).toMatchObject({
    message: expect.stringContaining("CERTIFICATE_VERIFY_FAILED"),
    hint: expect.stringContaining("certificate"),
  });
  expect(received.filter((line) => line.startsWith("secure"))).toEqual([]);
});

it("takes a secret along to no other host, port or scheme that a server leads to, even one that was granted", async () => {
  const there = (name: "other" | "secure" | "plain") => `127.0.0.1:${ports[name]}`;
  for (const target of [
    `http://${there("other")}/`,
    `//${there("other")}/`,
    `https://${there("secure")}/`,
    `http://user:pass@${there("other")}/`,
    `http://[::1]:${ports.six}/`,
    "file:///etc/passwd",
    "ftp://127.0.0.1/x",
    "data:text/plain,x",
  ]) {
    const outcome = await test.call(`/api go '${target}'`);
    expect(outcome, target).toMatchObject({ metadata: { status: 307 }, output: "" });
  }
  expect(received.filter((line) => /^(?:other|secure|six)/.test(line))).toEqual([]);
  expect(await test.output(`/api go 'http://${there("plain")}/here'`)).toBe("plain here");
});

it("reaches a host by its literal address, and keeps no more of what it says than a record can hold", async () => {
  const outcome = await test.call("/api six");
  expect(outcome).toMatchObject({ output: "six here", metadata: { headers: { "x-long": "x".repeat(4096) } } });
  expect(await test.dock.audit.verify()).toMatchObject({ ok: true });
});
