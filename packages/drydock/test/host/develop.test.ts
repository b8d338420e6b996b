import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RUNNER_SOCKET } from "@drydock/protocol/runner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
let directory = "";

beforeAll(async () => {
  directory = await test.dock.host.plugins.scaffold("ada/greeter", { directory: test.directory });
});

/** Without those that come with Drydock. */
const listOwn = async () => (await test.dock.host.plugins.list()).filter(({ origin }) => origin !== "built-in");

const say = (text: string, conversation = "dev") =>
  test.dock.host.send({
    type: "message.received",
    conversation: { conversation_id: conversation },
    input: { text },
  });

function change(file: string, from: string, to: string): void {
  const text = readFileSync(join(directory, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(directory, file), text.replace(from, to));
}

describe("a plugin that is being developed", () => {
  it("is used by the host, with its files as they are, and its log is shown", async () => {
    let log = "";
    const changes: (string | null)[] = [];
    const development = await test.dock.host.plugins.develop(directory, {
      onLog: (text) => (log += text),
      onChange: (problem) => changes.push(problem),
    });
    await test.dock.host.agents.add({ name: "dev", runner: "plugin:ada/greeter/default" });
    await test.dock.host.agents.bind({ agent: "dev" });
    expect(await say("hi")).toMatchObject({ ok: true, text: "Hello. You said: hi" });

    change("runner.ts", "You said", "I heard");
    change("runner.ts", "const visits", 'ctx.log("called");\n    console.error("printed");\n    const visits');
    await expect.poll(() => changes).toContain(null);
    expect(await say("hi")).toMatchObject({ text: "Hello. I heard: hi" });
    await expect.poll(() => log).toMatch(/printed[\s\S]*called|called[\s\S]*printed/);

    change("plugin.yaml", "version: 0.1.0", "version: next");
    await expect.poll(() => changes.at(-1)).toContain("plugin.yaml:3");
    expect(await say("hi")).toMatchObject({ text: "Hello. I heard: hi" });
    change("plugin.yaml", "version: next", "version: 0.2.0");
    await expect.poll(() => changes.at(-1)).toBeNull();
    expect(await listOwn()).toMatchObject([{ origin: "development", version: "0.2.0" }]);

    await expect(test.dock.host.plugins.develop(directory)).rejects.toMatchObject({ code: "input.invalid" });
    await development.close();
    expect(await listOwn()).toEqual([]);
    expect(await say("hi")).toMatchObject({ ok: false, error: { code: "runner.unavailable" } });
  });

  it("that can't start is started once for a message, and the sender reads why", async () => {
    const place = await test.dock.host.plugins.scaffold("ada/broken", {
      language: "python",
      directory: test.directory,
    });
    let log = "";
    const changes: (string | null)[] = [];
    const development = await test.dock.host.plugins.develop(place, {
      onLog: (text) => (log += text),
      onChange: (problem) => changes.push(problem),
    });
    await test.dock.host.agents.add({ name: "broken", runner: "plugin:ada/broken/default" });
    writeFileSync(join(place, "runner.py"), "def (:\n");
    await expect.poll(() => changes).toContain(null);
    const sent = test.dock.host.send(
      { type: "message.received", conversation: { conversation_id: "broken" }, input: { text: "hi" } },
      { agent: "broken" },
    );
    expect(await sent).toMatchObject({
      error: { code: "runner.unavailable", message: expect.stringMatching(/failed once.*SyntaxError/s) },
    });
    expect(log.match(/SyntaxError/g)).toHaveLength(1);
    await development.close();
  });

  it("keeps its token to its owner, and out of every list", async () => {
    const development = await test.dock.host.plugins.develop(directory);
    const file = join(test.home, "plugins/.dev/ada@greeter.json");
    expect(statSync(file).mode & 0o077).toBe(0);
    const { token } = JSON.parse(readFileSync(file, "utf8")) as { token: string };
    expect(JSON.stringify(await test.dock.host.plugins.list())).not.toContain(token);
    await development.close();
  });

  it("a file that a killed process has left means nothing", async () => {
    const development = await test.dock.host.plugins.develop(directory);
    const file = join(test.home, "plugins/.dev/ada@greeter.json");
    const text = readFileSync(file, "utf8");
    await development.close();
    writeFileSync(file, text.replace(/"startTime":"\d+"/, '"startTime":"1"'));
    expect(await listOwn()).toEqual([]);
  });
});

describe("a runner that its author has started", () => {
  let child: ChildProcess | undefined;
  afterAll(() => child?.kill("SIGKILL"));

  it.each(["typescript", "python"] as const)("connects, answers, and connects again: %s", async (language) => {
    const name = `attached-${language}`;
    const place = await test.dock.host.plugins.scaffold(`ada/${name}`, { language, directory: test.directory });
    const development = await test.dock.host.plugins.develop(place, { attach: true });
    const { url = "", token = "" } = development.attach ?? {};
    const env = { [RUNNER_SOCKET.urlVariable]: url, [RUNNER_SOCKET.tokenVariable]: token };
    const [program, main] = language === "python" ? ["python3", "main.py"] : [process.execPath, "main.ts"];
    child = spawn(program, [join(place, main)], { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
    await test.dock.host.agents.add({ name, runner: `plugin:ada/${name}/default` });
    await test.dock.host.agents.bind({ agent: name, scope: "conversation", value: name });
    expect(await say("hi", name)).toMatchObject({ ok: true, text: "Hello. You said: hi" });

    // One runner, and one host, at a time.
    expect(await closeCode(url, token)).toBe(RUNNER_SOCKET.busyCode);
    const host = JSON.parse(readFileSync(join(test.home, `plugins/.dev/ada@${name}.json`), "utf8"));
    expect(await closeCode(host.url, host.token)).toBe(RUNNER_SOCKET.busyCode);

    // The host goes, and another one comes.
    await test.reopen();
    expect(await say("again", name)).toMatchObject({ ok: true, text: "Hello. You said: again" });
    const gone = once(child, "exit");
    await development.close();
    await gone;
    expect(child.exitCode).toBe(0);
  });

  it("and nobody else gets in: a wrong token, a token of the other side, a page in a browser, another path", async () => {
    const development = await test.dock.host.plugins.develop(directory, { attach: true });
    const { url = "", token = "" } = development.attach ?? {};
    const host = JSON.parse(readFileSync(join(test.home, "plugins/.dev/ada@greeter.json"), "utf8"));
    expect(await status(url, {})).toBe(401);
    expect(await status(url, { authorization: `Bearer ${"0".repeat(64)}` })).toBe(401);
    expect(await status(url, { authorization: `Bearer ${host.token}` })).toBe(401);
    expect(await status(host.url, { authorization: `Bearer ${token}` })).toBe(401);
    expect(await status(url, { authorization: `Bearer ${token}`, origin: "http://localhost" })).toBe(403);
    expect(await status(url.replace("/runner", "/"), { authorization: `Bearer ${token}` })).toBe(404);
    const port = new URL(url).host;
    expect((await fetch(`http://${port}/runner`)).status).toBe(426);
    await development.close();
  });

  it("is ended where it sends what is no text, or too much", async () => {
    const development = await test.dock.host.plugins.develop(directory, { attach: true });
    const { url = "", token = "" } = development.attach ?? {};
    expect(await closeCode(url, token, Buffer.from("bytes"))).toBe(1003);
    expect(await closeCode(url, token, "x".repeat(4 * 1024 * 1024 + 1))).toBe(1009);
    await development.close();
  });
});

/** The code that a connection is closed with, after it has sent something. */
async function closeCode(url: string, token: string, message?: string | Buffer): Promise<number> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  socket.on("open", () => message !== undefined && socket.send(message));
  const [code] = (await once(socket, "close")) as [number];
  return code;
}

/** The status of HTTP that a connection is refused with. */
async function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(url, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode?: number }];
  socket.terminate();
  return response.statusCode;
}
