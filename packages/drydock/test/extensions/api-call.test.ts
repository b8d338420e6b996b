import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

const SECRET = "xq7-very-secret-token";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

const seen: Seen[] = [];
const server: Server = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    if (request.url?.startsWith("/users/missing")) {
      response.writeHead(404, { "content-type": "application/json" });
      return response.end('{"error":"no such user"}');
    }
    if (request.url === "/users/away") return response.writeHead(302, { location: "http://elsewhere.example/" }).end();
    if (request.url === "/users/home") return response.writeHead(302, { location: "/users/moved" }).end();
    if (request.url === "/users/binary") return response.end(Buffer.from([0, 1, 2, 255, 254]));
    // A server that tells everybody what it was told.
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(JSON.stringify({ path: request.url, authorization: request.headers.authorization, body }));
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;

const api = describeExtension(
  "api",
  `{ hosts: ["127.0.0.1:${port}"], secrets: [API_TOKEN] }`,
  `      - name: user
        description: Gets a user.
        runner: api.call
        arguments: [{ name: id, required: true }]
        flags: [{ name: page, type: integer }, { name: note }]
        request:
          url: "${origin}/users/{{ id }}"
          query: { page: "{{ page }}" }
          headers: { X-Note: "{{ note }}" }
      - name: create
        description: Makes one.
        runner: api.call
        arguments: [{ name: name, required: true }, { name: age, type: integer }]
        request:
          method: POST
          url: "${origin}/users"
          body: { name: "{{ name }}", age: "{{ age }}", tags: ["new", "{{ name }}!"] }
      - name: bearer
        description: With a token.
        runner: api.call
        request: { url: "${origin}/bearer", auth: { type: bearer, secret: API_TOKEN } }
      - name: basic
        description: With user and password.
        runner: api.call
        request: { url: "${origin}/basic", auth: { type: basic, user: me, secret: API_TOKEN } }
      - name: query
        description: With a key in the address.
        runner: api.call
        request: { url: "${origin}/query", auth: { type: query, parameter: key, secret: API_TOKEN } }
`,
);

const test = openExtensionDock({ extensions: [api] });
beforeAll(() => test.dock.extensions.secrets.set("API_TOKEN", SECRET));
afterAll(() => server.close());

describe("api.call", () => {
  it("sends the declared request, and gives back status, headers and body", async () => {
    const outcome = await test.call("/api user ada --page 2 --note 'two words'");
    expect(outcome).toMatchObject({
      success: true,
      json: { path: "/users/ada?page=2" },
      metadata: { status: 200, headers: { "content-type": "application/json; charset=utf-8" } },
    });
    expect(seen.at(-1)?.headers["x-note"]).toBe("two words");
    await test.output("/api user ada");
    expect(seen.at(-1)).toMatchObject({ url: "/users/ada" });
    expect(seen.at(-1)?.headers).not.toHaveProperty("x-note");
  });

  it("keeps a value a value: no other path, parameter, header or host", async () => {
    for (const id of ["../admin?b=c#d", "@elsewhere", "a%2e", "ü€ b"]) {
      await test.output(`/api user '${id}'`);
      expect(seen.at(-1)?.url, id).toBe(`/users/${encodeURIComponent(id)}`);
    }
    for (const id of ["..", "."]) expect(await test.error(`/api user ${id}`)).toMatchObject({ code: "input.invalid" });
    expect(await test.error("/api user a --note 'a\r\nX-Evil: b'")).toMatchObject({ code: "input.invalid" });
  });

  it("sends JSON in which values keep their types", async () => {
    await test.output(`/api create 'Ada "the first"' 36`);
    expect(JSON.parse(seen.at(-1)?.body ?? "")).toEqual({
      name: 'Ada "the first"',
      age: 36,
      tags: ["new", 'Ada "the first"!'],
    });
    await test.output("/api create Bob");
    expect(JSON.parse(seen.at(-1)?.body ?? "")).toEqual({ name: "Bob", tags: ["new", "Bob!"] });
  });

  it("takes whatever a server says for its answer", async () => {
    expect(await test.call("/api user missing")).toMatchObject({
      success: true,
      metadata: { status: 404 },
      json: { error: "no such user" },
      notes: ["the server answered with status 404"],
    });
    expect(await test.call("/api user binary")).toMatchObject({ success: true, artifacts: [{ size: 5 }] });
  });

  it("follows a server to itself, and to nobody else", async () => {
    expect(await test.call("/api user home")).toMatchObject({ json: { path: "/users/moved" } });
    expect(await test.call("/api user away")).toMatchObject({
      metadata: { status: 302, headers: { location: "http://elsewhere.example/" } },
    });
  });

  it("uses a secret where it is declared, and shows it nowhere", async () => {
    const encoded = Buffer.from(`me:${SECRET}`).toString("base64");
    const outcomes = [await test.call("/api bearer"), await test.call("/api basic"), await test.call("/api query")];
    expect(seen.slice(-3).map(({ headers, url }) => headers.authorization ?? url)).toEqual([
      `Bearer ${SECRET}`,
      `Basic ${encoded}`,
      `/query?key=${SECRET}`,
    ]);
    const shown = JSON.stringify(outcomes);
    for (const hidden of [SECRET, encoded]) expect(shown).not.toContain(hidden);
    const stored = readdirSync(test.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "secrets.json")
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
      .join("");
    for (const hidden of [SECRET, encoded]) expect(stored).not.toContain(hidden);
    expect(stored).toContain("[redacted");
  });

  it("goes nowhere in a workspace whose policy wants no network", async () => {
    const workspace = test.makeDirectory({ ".drydock/policy.yaml": "version: 1\nnetwork: { allow: [] }\n" });
    const question = seen.length;
    expect(await test.error("/api user ada", { workspace })).toMatchObject({ code: "policy.network_denied" });
    expect(seen.length).toBe(question);
  });

  it("says which secret is missing, and how to set it", async () => {
    await test.dock.extensions.secrets.remove("API_TOKEN");
    expect(await test.error("/api bearer")).toMatchObject({
      hint: expect.stringContaining("drydock secret set API_TOKEN"),
    });
  });

  it("says that a host can't be reached", async () => {
    server.close();
    server.closeAllConnections();
    expect(await test.error("/api user ada")).toMatchObject({
      code: "code.exception",
      message: expect.stringContaining(`The request to 127.0.0.1:${port} failed`),
    });
  });
});
