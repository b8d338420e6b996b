import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli, runJson } from "./testing/run-cli.ts";
import { useHome } from "./testing/use-home.ts";

useHome();

describe("texts", () => {
  it("shows the end of what a failed execution printed", async () => {
    const code = "import sys\nfor n in range(30): print('line', n)\nsys.stderr.write('to err')\nsys.exit(3)";
    const id = String((await runJson("exec", "-c", code)).value.runId);
    const { stdout } = await runCli("runs", "show", id);
    expect(stdout).toMatch(/\nstdout, the last 20 of 30 lines\nline 10\n[\s\S]*\nline 29\n\nstderr\nto err\n$/);
    const fine = String((await runJson("exec", "-c", "print('hello')")).value.runId);
    expect((await runCli("runs", "show", fine)).stdout).not.toContain("\nstdout");
  });

  it("help for a command that does not exist says so, and what may have been meant", async () => {
    const { status, stdout, stderr } = await runCli("help", "exce");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Unknown command 'exce'.");
    expect(stderr).toContain("Did you mean exec?");
    expect((await runCli("help", "exec")).stdout).toContain("Usage: drydock exec");
  });

  it("a line that can't be read names the commands there are, or the help of the one that it is about", async () => {
    const unknown = await runCli("profile", "show");
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain("The commands of drydock profile are get, propose, approve, reject.");
    expect((await runCli("runs", "list", "--colour", "passed")).stderr).toContain("See drydock runs list --help.");
  });

  it("a run is replayed with status 0, one that comes out differently with 1, one that can't be with 2", async () => {
    const { value } = await runJson("exec", "-c", "print(6 * 7)");
    const runId = String(value.runId);
    const same = await runCli("replay", runId);
    expect(same).toMatchObject({
      status: 0,
      stdout: `✓ ${runId}: 1 step, no divergence (tree ${String(value.treeHash).slice(0, 12)})\n`,
    });
    expect((await runJson("replay", runId)).value).toMatchObject({ ok: true, replayOf: runId, divergences: [] });
    const random = await runJson(
      "exec",
      "-c",
      "import uuid\nprint(uuid.uuid4())\nopen(str(uuid.uuid4()), 'w').close()",
    );
    const other = await runCli("replay", String(random.value.runId));
    expect(other.status).toBe(1);
    expect(other.stdout).toMatch(
      /^✗ run_\w+: 2 divergences\n {2}✗ run: stdout\n {6}recorded .*\n {6}replayed .*\n {2}and 1 more that follows from it/,
    );
    const refused = await runCli("replay", runId, "--workspace", "/nowhere-at-all", "--from", "x");
    expect(refused.status).toBe(2);
  });

  it("an MCP server that wants a token is told apart from one that fails", async () => {
    const server = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await runCli("policy", "allow", "network", `127.0.0.1:${port}`);
    const { value } = await runJson("mcp", "test", "--url", `http://127.0.0.1:${port}/mcp`);
    server.close();
    expect(value.error).toMatchObject({ hint: expect.stringMatching(/--header/) });
    expect(JSON.stringify(value)).not.toContain("drydock mcp test");
  });

  it("no text sends people to files that the package lacks", () => {
    const source = join(import.meta.dirname, "../..");
    const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line);
    const found = globSync("**/*.ts", { cwd: source })
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) =>
        readFileSync(join(source, file), "utf8")
          .split("\n")
          .filter((line) => /docs\/(guides|adr)\//.test(line) && !isComment(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
  });
});
