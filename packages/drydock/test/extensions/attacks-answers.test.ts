import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeExtension, openExtensionDock } from "../testing/extension-dock.ts";

/** A server that was told a secret, and wants others to read it. */
const SECRET = "xq7-very-secret-token";
let answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end();
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => answer(response, request));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

const api = describeExtension(
  "api",
  `{ tools: [sh], hosts: ["127.0.0.1:${port}"], secrets: [API_TOKEN, ODD_TOKEN], environment: [BUILD_TOKEN], limits: { outputMb: 2 } }`,
  `      - name: get
        description: Gets it.
        runner: api.call
        request: { url: "http://127.0.0.1:${port}/", auth: { type: bearer, secret: API_TOKEN } }
      - name: query
        description: With a key in the address.
        runner: api.call
        request: { url: "http://127.0.0.1:${port}/", auth: { type: query, parameter: key, secret: ODD_TOKEN } }
      - name: sh
        description: Does it.
        runner: exec.sh
        arguments: [{ name: code, required: true }]
        args: [-c, "{{ code }}"]
`,
);
const test = openExtensionDock({ extensions: [api] });
beforeAll(() => test.dock.extensions.secrets.set("API_TOKEN", SECRET));
afterAll(() => void server.close());

function storedIn(home: string): string {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "secrets.json")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

const tokenOf = ({ headers }: IncomingMessage) => (headers.authorization ?? "").slice("Bearer ".length);

it.each([
  ["a NUL", Buffer.from([0])],
  ["bytes that are no text", Buffer.from([0xff, 0xfe])],
])("keeps a secret out of an answer that is no text because of %s", async (_what, odd) => {
  answer = (response, request) => response.end(Buffer.concat([odd, Buffer.from(tokenOf(request)), odd]));
  const outcome = await test.call("/api get");
  expect(outcome).toMatchObject({ type: "capability_result", notes: ["a secret was taken out of it"] });
  const [artifact] = "artifacts" in outcome ? outcome.artifacts : [];
  const kept = Buffer.from(await test.dock.runs.readArtifact(artifact?.id ?? ""));
  expect(kept.subarray(0, odd.length)).toEqual(odd);
  expect(kept.toString("latin1")).toContain("[redacted:API_TOKEN]");
  expect(storedIn(test.home)).not.toContain(SECRET);
});

it("keeps bytes that hold no secret as they are", async () => {
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 256));
  answer = (response) => response.end(bytes);
  const outcome = await test.call("/api get");
  const [artifact] = "artifacts" in outcome ? outcome.artifacts : [];
  expect(Buffer.from(await test.dock.runs.readArtifact(artifact?.id ?? ""))).toEqual(bytes);
});

it("keeps a secret out of what an answer is called", async () => {
  answer = (response, request) => {
    response.setHeader("content-type", `text/${tokenOf(request)}\u0009;x=y`);
    response.end("a\0");
  };
  expect(
    JSON.stringify([await test.call("/api get"), await test.dock.extensions.responses.last("default")]),
  ).not.toContain(SECRET);
  answer = (response) => response.writeHead(200, { "content-type": "text/plain and more, <b>" }).end("a");
  await test.call("/api get");
  expect(await test.dock.extensions.responses.last("default")).toMatchObject({ mime: "text/plain" });
});

it("leaves no part of a secret where a message, a tail or an output is cut", async () => {
  const part = SECRET.slice(0, 12);
  answer = (response, request) => {
    response.setHeader("x-drydock-proxy", "1");
    response.end(`${"x".repeat(500 - SECRET.length + 1)}${tokenOf(request)}`);
  };
  expect(JSON.stringify(await test.call("/api get"))).not.toContain(part);
  // One that ends in the middle: what came until then is shown, and is cut at a megabyte.
  answer = (response, request) => {
    response.writeHead(200, { "content-length": "3000000" });
    response.write(`${"x".repeat(1_048_576 - SECRET.length + 1)}${tokenOf(request)}${"y".repeat(1000)}`, () =>
      response.destroy(),
    );
  };
  const broken = await test.call("/api get");
  expect(broken).toMatchObject({ error: { message: expect.stringContaining("bytes early") } });
  expect(JSON.stringify(broken)).not.toContain(part);
  expect(storedIn(test.home)).not.toContain(part);
  // The tail of what a tool complained.
  const complained = await test.call(
    `/api sh 'printf %s ${SECRET} >&2; head -c 1990 /dev/zero | tr "\\0" x >&2; exit 3'`,
  );
  expect(complained).toMatchObject({ type: "capability_error" });
  expect(JSON.stringify(complained)).not.toContain(SECRET.slice(-10));
});

it("gives nobody a nest so deep that it can't be written again", async () => {
  const deep = (levels: number) =>
    `head -c ${levels} /dev/zero | tr "\\0" "["; head -c ${levels} /dev/zero | tr "\\0" "]"`;
  const outcome = await test.call(`/api sh '${deep(100_000)}'`);
  expect(outcome).toMatchObject({ type: "capability_result" });
  expect(JSON.parse(JSON.stringify(outcome))).not.toHaveProperty("json");
  const flat = await test.call(`/api sh '${deep(100)}'`);
  expect(JSON.parse(JSON.stringify(flat))).toHaveProperty("json");
  const quoted = await test.call(`/api sh 'printf %s "[\\"\\\\\\\\ [[[\\"]"'`);
  expect(quoted).toMatchObject({ json: ["\\ [[["] });
});

it("keeps a secret out of the address that it was sent in", async () => {
  const odd = "p/ss w(rd)!*'+~";
  await test.dock.extensions.secrets.set("ODD_TOKEN", odd);
  const sent: string[] = [];
  answer = (response, request) => {
    sent.push(request.url ?? "");
    response.setHeader("x-asked", request.url ?? "");
    response.end(JSON.stringify({ url: request.url, args: { key: odd } }).replaceAll("/", "\\/"));
  };
  const outcome = await test.call("/api query");
  expect(sent).toEqual([`/?${new URLSearchParams({ key: odd })}`]);
  expect(outcome).toMatchObject({ type: "capability_result", json: { args: { key: "[redacted:ODD_TOKEN]" } } });
  for (const text of [JSON.stringify(outcome), storedIn(test.home)]) {
    expect(text).not.toContain("w%28rd");
    expect(text).not.toContain("w(rd)");
  }
});

it("shows a secret to nobody who looks at the machine's processes and temporary files meanwhile", async () => {
  const seen: string[] = [];
  let looked = 0;
  const look = (path: string) => {
    try {
      looked += 1;
      if (readFileSync(path, "latin1").includes(SECRET)) seen.push(path);
    } catch {
      // It is gone, or somebody else's.
    }
  };
  answer = (response) => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      for (const name of ["cmdline", "environ"]) look(`/proc/${pid}/${name}`);
    }
    const runs = join(tmpdir(), `drydock-${process.getuid?.()}`);
    for (const entry of readdirSync(runs, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) look(join(entry.parentPath, entry.name));
    }
    response.end("looked");
  };
  expect(await test.output("/api get")).toBe("looked");
  expect(looked).toBeGreaterThan(10);
  expect(seen).toEqual([]);
});
