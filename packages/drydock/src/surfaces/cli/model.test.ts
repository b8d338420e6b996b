import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ProviderServer, startProviderServer } from "../../models/testing/provider-server.ts";
import { useGoalPlace } from "./testing/goal-workspace.ts";
import { CLI_COMMAND, runCli, runJson } from "./testing/run-cli.ts";
import { runProgramInTerminal } from "./testing/run-in-terminal.ts";
import { useHome } from "./testing/use-home.ts";

const home = useHome();
const place = useGoalPlace();
const KEY = "plainsecret0123456789";
let server: ProviderServer;

beforeEach(async () => {
  server = await startProviderServer();
  process.env.ANTHROPIC_API_KEY = KEY;
  process.env.ANTHROPIC_BASE_URL = server.baseUrl;
});
afterEach(async () => {
  process.env.ANTHROPIC_API_KEY = "";
  delete process.env.ANTHROPIC_BASE_URL;
  await server.close();
});

describe("a key that is found", () => {
  it("decides, and one line says which model is asked and why", async () => {
    server.answer(() => ({ status: 401, error: { message: "no" } }));
    const workspace = await place.workspace();
    const { status, stdout, stderr } = await runCli("run", "--goal", "x", "--workspace", workspace);
    expect(status).toBe(5);
    expect(stderr).toMatch(
      /^run: anthropic\/claude-sonnet-4-5 is used because ANTHROPIC_API_KEY is set and no model is configured\. To choose .*$/m,
    );
    expect(stderr).toContain("(model: anthropic/claude-sonnet-4-5)");
    expect(stdout).not.toMatch(/unverified/i);
    expect(server.requests).toHaveLength(1);
  });

  it("is shown by list", async () => {
    const { stdout } = await runCli("model", "list");
    expect(stdout).toMatch(/^model: anthropic\/claude-sonnet-4-5 is used because ANTHROPIC_API_KEY is set/);
    expect(stdout).toMatch(/openai +OPENAI_API_KEY is not set/);
    expect(stdout).not.toContain(KEY);
    expect((await runJson("model", "list")).value).toMatchObject({ source: "key" });
  });
});

describe("requests that are made again", () => {
  const faults = () => server.queue({ status: 500 }, { status: 503 }, { status: 401, error: { message: "no" } });

  it("are told on lines of their own without a terminal, and counted", async () => {
    faults();
    const workspace = await place.workspace();
    const argv = ["run", "--goal", "x", "--workspace", workspace, "--model", "anthropic/a"];
    const { stderr, stdout } = await runCli(...argv, "--json");
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^run: anthropic\/a: attempt 1 failed: HTTP 500: .*; again in 1 s$/),
      expect.stringMatching(/^run: anthropic\/a: attempt 2 failed: HTTP 503: .*; again in \d s$/),
    ]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line)).find(({ type }) => type === "run.failed")).toMatchObject({
      data: { usage: { calls: 3 } },
    });
  });

  it("also where only a plan is made", async () => {
    faults();
    const argv = ["plan", "--goal", "x", "--workspace", await place.workspace(), "--model", "anthropic/a"];
    const { status, stderr } = await runCli(...argv);
    expect(status).toBe(5);
    expect(
      stderr.split("\n").filter((line) => /^anthropic\/a: attempt \d failed: .*; again in \d s$/.test(line)),
    ).toHaveLength(2);
  });

  it("and on a terminal", async () => {
    faults();
    const workspace = await place.workspace();
    const argv = ["run", "--goal", "x", "--workspace", workspace, "--model", "anthropic/a"];
    const { PATH, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = process.env;
    const env = { PATH, DRYDOCK_HOME: home(), TERM: "xterm-256color", ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL };
    const { screen } = await runProgramInTerminal([...CLI_COMMAND, ...argv], env, { rows: 20, columns: 120, keys: [] });
    const lines = stripVTControlCharacters(screen).split(/[\r\n]+/);
    expect(lines.filter((line) => /^run: anthropic\/a: attempt \d failed: .*; again in \d s$/.test(line))).toHaveLength(
      2,
    );
  });
});

describe("drydock model", () => {
  it("adds, tests and lists, in words and as JSON", async () => {
    const argv = ["model", "add", "local/m", "--base-url", server.baseUrl, "--key-variable", "LOCAL_KEY"];
    const added = await runCli(...argv);
    expect(added.stdout).toMatch(/^✓ local\/m is the default now: .*config\.yaml\n {2}next: export LOCAL_KEY=…/);
    const missing = await runJson("model", "test");
    expect(missing).toMatchObject({ status: 5, value: { error: { code: "model.unavailable" } } });
    process.env.LOCAL_KEY = KEY;
    server.queue({ text: "ready", tokens: { input: 10, output: 2 } }, { status: 500 }, { text: "ready" });
    const tested = await runCli("model", "test");
    expect(tested).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^✓ local\/m answers: ready \(.*12 tokens/),
    });
    expect(await runJson("model", "test")).toMatchObject({ status: 0, value: { model: "local/m", requests: 2 } });
    delete process.env.LOCAL_KEY;
    expect((await runJson("model", "list")).value).toMatchObject({ models: ["local/m"], source: "config.yaml" });
    expect(await runJson("model", "add", "ollama/a", "--fallback")).toMatchObject({ value: { role: "fallback" } });
    expect(await readFile(join(home(), "config.yaml"), "utf8")).not.toContain(KEY);
  });

  it("refuses a key in place of its variable", async () => {
    const { status, value } = await runJson(
      "model",
      "add",
      "x/y",
      "--base-url",
      server.baseUrl,
      "--key-variable",
      "sk-1",
    );
    expect({ status, value }).toMatchObject({ status: 2, value: { error: { code: "input.invalid" } } });
  });

  it("names a web page at once", async () => {
    server.answer(() => ({ body: "<html></html>", type: "text/html" }));
    const { status, stderr } = await runCli("model", "test", "anthropic/a");
    expect({ status, stderr }).toMatchObject({ status: 5, stderr: expect.stringContaining("returned a web page") });
    expect(server.requests).toHaveLength(1);
  });
});
