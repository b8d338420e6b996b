import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { CLI_COMMAND, spawnCli } from "../../cli/testing/run-cli.ts";
import { useHome } from "../../cli/testing/use-home.ts";

const home = useHome();

describe("--debug of what answers others", () => {
  it("shows each run of a server as it is recorded: policy, prompts, code, timings, sandbox", async () => {
    const script = join(home(), "script.json");
    writeFileSync(script, JSON.stringify({ answers: [{ text: "```python\n6 * 7\n```" }] }));
    const words = ["serve", "--port", "0", "--json", "--debug", "--model", `scripted:${script}`, "--no-auth"];
    const server = spawnCli(home(), words);
    await server.printed("\n");
    const { url } = JSON.parse(server.stdout()) as { url: string };
    const post = (path: string, body: unknown) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }).then((response) => response.json());
    expect(await post("/execute", { code: "print('seen')" })).toMatchObject({ ok: true });
    expect(await post("/tasks", { instruction: "What is 6 times 7?" })).toMatchObject({ ok: true, result: 42 });
    server.process.kill("SIGTERM");
    const { stderr, stdout, status } = await server.finished;
    expect(status).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^debug policy: /);
    expect(stderr.match(/run\.created/g)).toHaveLength(3);
    expect(stderr).toContain("code     print('seen')");
    expect(stderr).toContain("What is 6 times 7?");
    expect(stderr).toMatch(/model\.answered/);
    expect(stderr).toMatch(/ {2}sandbox {2}backend namespaces/);
    for (const type of ["run.created", "model.asked", "run.succeeded"]) expect(stderr).toContain(type);
  });

  it("leaves an MCP client's standard output to the protocol", async () => {
    const [command, ...before] = CLI_COMMAND;
    const env = { PATH: process.env.PATH ?? "", DRYDOCK_HOME: home() };
    const transport = new StdioClientTransport({ command, args: [...before, "mcp", "--debug"], env, stderr: "pipe" });
    let stderr = "";
    transport.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const problems: Error[] = [];
    const client = new Client({ name: "test", version: "1" });
    client.onerror = (error) => problems.push(error);
    await client.connect(transport);
    const called = await client.callTool({ name: "execute_code", arguments: { code: "print('seen')" } });
    expect(called.structuredContent).toMatchObject({ ok: true });
    await client.close();
    expect(problems).toEqual([]);
    expect(stderr).toContain("code     print('seen')");
    expect(stderr).toContain("run.succeeded");
  });
});
