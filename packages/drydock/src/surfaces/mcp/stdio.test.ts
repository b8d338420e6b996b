import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CLI_COMMAND, runJson, spawnCli } from "../cli/testing/run-cli.ts";
import { PLAIN_SERVER } from "./testing/servers.ts";

let home = "";
let workspace = "";
const environment = () => ({ PATH: process.env.PATH ?? "", DRYDOCK_HOME: home });
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "drydock-mcp-stdio-"));
  workspace = await mkdtemp(join(tmpdir(), "drydock-mcp-stdio-work-"));
  process.env.DRYDOCK_HOME = home;
  await writeFile(join(workspace, "server.py"), PLAIN_SERVER);
  await writeFile(join(home, "policy.yaml"), "commands: { deny: [curl] }\n");
});
afterAll(async () => {
  for (const directory of [home, workspace]) await rm(directory, { recursive: true, force: true });
});

it.each(["auto", "legacy"] as const)("drydock mcp serves a client over stdio (%s)", async (mode) => {
  const [command, ...before] = CLI_COMMAND;
  const args = [...before, "mcp", "--workspace", workspace, "--tools", "execute_*,session_*"];
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args, env: environment() }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("run_goal");
  const code = "import os\nsorted(os.listdir('.'))";
  const { structuredContent } = await client.callTool({ name: "execute_code", arguments: { code, workspace } });
  expect(structuredContent).toMatchObject({ ok: true, result: ["server.py"] });
  await client.close();
});

it("goes on after lines that are no messages, answers what was asked, and ends with its input", async () => {
  const [command, ...before] = CLI_COMMAND;
  const child = spawn(command, [...before, "mcp"], { env: environment(), stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end('nonsense\n{"half":\n[]\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  const [status] = (await once(child, "close")) as [number | null];
  expect(status).toBe(0);
  expect(stdout).toContain('"id":1');
  expect(stderr).toContain('A line of the input is not a JSON-RPC message: "nonsense"\n');
  for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

it("drydock mcp test tells what a server offers, and leaves nothing running", async () => {
  const { status, value } = await runJson("mcp", "test", "--workspace", workspace, "--command", "python3", "server.py");
  expect(status).toBe(0);
  expect(value).toMatchObject({ server: { name: "plain", version: "1.0" }, protocol: "2025-06-18" });
  const { finished } = spawnCli(home, ["mcp", "test", "--workspace", workspace, "--", "python3", "-u", "server.py"]);
  const { stdout, status: again } = await finished;
  expect(again).toBe(0);
  expect(stdout).toMatch(
    /✓ plain 1.0 works: MCP 2025-06-18, connected in \d+ ms, 6 tools\n {2}add {4}Adds two numbers/,
  );
});

it.each([
  ["neither command nor url", [], 2, "input.invalid"],
  ["a command that is not allowed", ["--command", "curl"], 3, "policy.command_denied"],
  ["a host that is not allowed", ["--url", "http://127.0.0.1:1/mcp"], 3, "policy.network_denied"],
  ["what speaks no MCP", ["--command", "ls"], 1, "code.crash"],
  ["a header without a value", ["--url", "http://127.0.0.1:1/", "--header", "x"], 2, "input.invalid"],
])("drydock mcp test refuses %s", async (_name, words, status, code) => {
  expect(await runJson("mcp", "test", ...words)).toMatchObject({ status, value: { error: { code } } });
});
