import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ApiError, PLUGIN_REQUESTS, RunnerDiscovery, type RunResult } from "@drydock/protocol/runner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestHost, type TestHost } from "../testing/start-test-host.ts";

const home = join(import.meta.dirname, "..");
const TYPESCRIPT = [process.execPath, "--conditions=drydock-source", join(home, "testing/probe/main.ts")];
const PYTHON = ["python3", "-B", join(home, "testing/probe-python/main.py")];
const GREETING = { protocol_versions: ["7", "1"], host: { name: "test", version: "0" } };
const HISTORY = { items: [], next_cursor: null, prev_cursor: null, has_more: false, total_count: 0 };

const start = (command: string[], wire: "stdio" | "WebSocket" = "stdio") =>
  startTestHost(command, "drydock-test/probe", { PYTHONPATH: join(home, "python") }, wire);
const typesOf = (results: RunResult[]) => results.map(({ type }) => type);
const textOf = (results: RunResult[]) =>
  results.flatMap(({ type, data }) =>
    type === "message.completed" ? [(data.message as { content: string }).content] : [],
  )[0] ?? "";

describe.each([
  ["TypeScript", "stdio", TYPESCRIPT],
  ["Python", "stdio", PYTHON],
  ["TypeScript", "WebSocket", TYPESCRIPT],
  ["Python", "WebSocket", PYTHON],
] as const)("a plugin in %s over %s", (_language, wire, command) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start([...command], wire);
    await expect(host.run("echo early")).rejects.toThrow("`initialize` comes first");
    const answer = PLUGIN_REQUESTS.initialize.result.parse(await host.request("initialize", GREETING));
    expect(answer.protocol_version).toBe("1");
    expect(RunnerDiscovery.parse(answer.runners[0]).manifest.id).toBe("plugin:drydock-test/probe/probe");
  });
  afterAll(async () => {
    expect(await host.close()).toBe(0);
  });

  it("streams results, and completes a run that gave a message", async () => {
    const results = await host.run("echo good morning");
    expect(typesOf(results)).toEqual(["message.delta", "message.completed", "run.completed"]);
    expect(textOf(results)).toBe("good morning");
    expect(await host.run("nothing")).toEqual([]);
  });

  it("refuses a version, a runner, a method and params that it does not know", async () => {
    const old = { ...GREETING, protocol_versions: ["0"] };
    await expect(host.request("initialize", old)).rejects.toMatchObject({ code: -32602 });
    await expect(host.run("echo", { runner: "other" })).rejects.toThrow("no runner plugin:drydock-test/probe/other");
    await expect(host.request("fly", {})).rejects.toMatchObject({ code: -32601 });
    await expect(host.request("runner.run", {})).rejects.toMatchObject({ code: -32602 });
    expect(await host.request("ping", {})).toEqual({});
  });

  it("serves several runs at once, each on its channel", async () => {
    const waiting = Promise.withResolvers<void>();
    const first = host.run("wait", { channel: "ch_wait", onResult: () => waiting.resolve() });
    await waiting.promise;
    const others = await Promise.all(["a", "b", "c"].map((text) => host.run(`echo ${text}`)));
    expect(others.map(textOf)).toEqual(["a", "b", "c"]);
    await expect(host.run("echo twice", { channel: "ch_wait" })).rejects.toThrow("has a run already");
    host.notify("run.cancel", { channel: "ch_wait", reason: "enough" });
    // The second run on the channel took its listener away; the answer still says that the first has ended.
    await first;
  });

  it("ends a run that is cancelled, and says why", async () => {
    const results = await host.run("wait", {
      onResult: ({ type }) =>
        type === "message.delta" && host.notify("run.cancel", { channel: "ch_wait", reason: "enough" }),
    });
    expect(results.at(-1)).toMatchObject({ type: "run.failed", data: { code: "runner.cancelled" } });
  });

  it("turns exceptions into run.failed", async () => {
    const [thrown] = await host.run("throw boom");
    expect(thrown).toMatchObject({
      type: "run.failed",
      data: { code: "runner.error", error: "boom", retryable: false },
    });
    const [own] = await host.run("fail slow");
    expect(own?.data).toEqual({ code: "probe.timeout", error: "slow", retryable: true });
    const [huge] = await host.run("huge");
    expect(huge).toMatchObject({ type: "run.failed", data: { code: "runner.error" } });
    expect(host.stderr()).toContain("boom");
  });

  it("sends nothing after the end, and warns", async () => {
    expect(typesOf(await host.run("late"))).toEqual(["run.completed"]);
    await expect.poll(() => host.stderr()).toContain("message.delta after the end");
  });

  it("keeps stdout for the protocol", async () => {
    expect(textOf(await host.run("print"))).toBe("done");
    expect(host.logs).toEqual([{ level: "warning", message: "logged" }]);
    await expect.poll(() => host.stderr()).toMatch(/printed[\s\S]*written|written[\s\S]*printed/);
  });

  it("calls the host with the id of its run", async () => {
    const requests: unknown[] = [];
    host.answers.history_page = (params) => {
      requests.push(params);
      return HISTORY;
    };
    const results = await host.run('call history_page {"limit": 3}');
    expect(JSON.parse(textOf(results))).toEqual(HISTORY);
    expect(requests).toEqual([expect.objectContaining({ run_id: "run_1", limit: 3 })]);
  });

  it("hears of refusals with code, retryable and details", async () => {
    host.answers.event_get = () => {
      throw new ApiError("rate_limited", "later", { retryable: true, details: { after_seconds: 3 } });
    };
    const results = await host.run('call event_get {"event_id": "e1"}');
    expect(JSON.parse(textOf(results))).toEqual(["rate_limited", true, { after_seconds: 3 }]);
    expect(JSON.parse(textOf(await host.run("call get_prompt")))).toEqual(["unauthorized", false, {}]);
  });

  it("ends calls at the deadline of the run", async () => {
    host.answers.get_host_version = () => new Promise(() => {});
    const runtime = { deadline_at: Date.now() / 1000 + 0.2 };
    const results = await host.run("call get_host_version", { context: { runtime } });
    expect(JSON.parse(textOf(results))[0]).toBe("deadline_exceeded");
  });

  it("reads the chunks of a stream in order", async () => {
    host.answers.invoke_llm_stream = ({ stream_id }) => {
      for (const content of ["a", "b", "c"]) host.notify("llm.chunk", { stream_id, chunk: { content } });
      return { message: { role: "assistant", content: "abc" }, usage: null };
    };
    const chunks = (await host.run("ask")).map(({ data }) => (data.chunk as { content: string } | undefined)?.content);
    expect(chunks).toEqual(["a", "b", "c", undefined]);
  });

  it("survives garbage, broken messages and huge lines", async () => {
    host.write(`garbage\n[]\n7\n{"jsonrpc":"1.0"}\n{"x":"${"x".repeat(2 ** 24)}"}\n`);
    expect(textOf(await host.run("echo still here"))).toBe("still here");
    expect(host.complaints.map(({ error }) => error.code)).toEqual([-32700, -32600, -32600, -32600, -32600]);
    host.notify("run.cancel", {});
    host.write('{"jsonrpc":"2.0","id":99,"result":1}\n');
    expect(textOf(await host.run(`echo ${"é".repeat(300_000)}`))).toHaveLength(300_000);
  });
});

describe("an async generator in Python", () => {
  it("awaits calls, reads streams, and is interrupted by cancel and by shutdown", async () => {
    const host = await start(PYTHON);
    await host.request("initialize", GREETING);
    const runner = "async";
    host.answers.history_page = () => HISTORY;
    host.answers.invoke_llm_stream = ({ stream_id }) => {
      for (const content of ["a", "b"]) host.notify("llm.chunk", { stream_id, chunk: { content } });
      return { message: { role: "assistant", content: "ab" }, usage: null };
    };
    expect(JSON.parse(textOf(await host.run("call", { runner })))).toEqual(HISTORY);
    expect(typesOf(await host.run("ask", { runner }))).toEqual(["message.delta", "message.delta", "run.completed"]);
    const cancel = () => host.notify("run.cancel", { channel: "ch_wait", reason: "enough" });
    const [, end] = await host.run("wait", { runner, onResult: ({ type }) => type === "message.delta" && cancel() });
    expect(end).toMatchObject({ data: { code: "runner.cancelled" } });
    const begun = Promise.withResolvers<void>();
    const last = host.run("wait", { runner, onResult: () => begun.resolve() });
    await begun.promise;
    expect(await host.request("shutdown", {})).toEqual({});
    expect((await last).at(-1)).toMatchObject({ data: { error: expect.stringContaining("shuts this plugin down") } });
    expect(await host.close()).toBe(0);
  });
});

describe.each([
  ["TypeScript", TYPESCRIPT],
  ["Python", PYTHON],
])("a plugin in %s on a WebSocket", (_language, command) => {
  it("connects again where the host has gone, and is initialized anew", async () => {
    const host = await start(command, "WebSocket");
    await host.request("initialize", GREETING);
    expect(textOf(await host.run("echo one"))).toBe("one");
    await host.reconnect();
    await expect(host.run("echo early")).rejects.toThrow("`initialize` comes first");
    await host.request("initialize", GREETING);
    expect(textOf(await host.run("echo two"))).toBe("two");
    expect(await host.close()).toBe(0);
  });

  it("says what to look at where there is no such host", async () => {
    const [program = "", ...args] = command;
    const env = { PATH: process.env.PATH, PYTHONPATH: join(home, "python") };
    const address = { DRYDOCK_RUNNER_URL: "ws://127.0.0.1:9/runner", DRYDOCK_RUNNER_TOKEN: "a".repeat(64) };
    const { status, stderr } = spawnSync(program, args, { env: { ...env, ...address }, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("drydock plugin dev --attach");
  });
});
