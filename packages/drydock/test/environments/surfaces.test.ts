import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type DrydockServer, serve } from "drydock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runJson } from "../../src/surfaces/cli/testing/run-cli.ts";
import { openPackageIndex, type PackageIndex } from "./package-index.ts";

const home = mkdtempSync(join(tmpdir(), "drydock-packages-"));
const file = join(home, "requirements.txt");
let index: PackageIndex;
let server: DrydockServer;

beforeAll(async () => {
  index = await openPackageIndex();
  index.add("tiny", "1.0", { "tiny.py": "WORD = 'helped'\n" });
  process.env.DRYDOCK_PYTHON_INDEX = index.url;
  process.env.DRYDOCK_HOME = home;
  writeFileSync(join(home, "policy.yaml"), `version: 1\nnetwork: { allow: { default: [], max: ["${index.host}"] } }\n`);
  writeFileSync(file, "tiny==1.0\n");
  server = await serve([], { port: 0, home, warm: 0 });
});
afterAll(async () => {
  await server.close();
  await index.close();
  rmSync(home, { recursive: true, force: true });
});

const authorization = () => ({ authorization: `Bearer ${server.token}` });
const post = async (path: string, body: unknown) => {
  const headers = { ...authorization(), "content-type": "application/json" };
  const response = await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};
const CODE = "import tiny\ntiny.WORD";

it("requirements are installed over the command line, HTTP and MCP, where they are asked to be", async () => {
  const missing = await runJson("exec", "-c", CODE, "--requirements", file);
  expect(missing).toMatchObject({ status: 1, value: { ok: false, error: { code: "code.import_missing" } } });
  const installed = await runJson("exec", "-c", CODE, "--requirements", file, "--install");
  expect(installed).toMatchObject({ status: 0, value: { ok: true, result: "helped" } });
  expect(await runJson("exec", "-c", CODE, "--install")).toMatchObject({ status: 2 });

  const before = index.requests.length;
  const executed = await post("/execute", { code: CODE, requirements: ["tiny==1.0"] });
  expect(JSON.parse(executed.text)).toMatchObject({ ok: true, result: "helped" });
  expect((await post("/execute", { code: CODE, requirements: ["-r /etc/passwd"] })).status).toBe(400);
  expect((await post("/execute", { code: CODE, requirements: file })).status).toBe(400);

  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: authorization() };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  const request = { code: CODE, requirements: '["tiny==1.0"]' };
  const called = await client.callTool({ name: "execute_code", arguments: request });
  expect(called.structuredContent).toMatchObject({ ok: true, result: "helped" });
  await client.close();
  expect(index.requests.length).toBe(before);
});
