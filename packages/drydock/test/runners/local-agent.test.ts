import { beforeAll, describe, expect, it } from "vitest";
import { callOf, openLocalAgent } from "./testing/open-local-agent.ts";

const { t, server, sent, newAgent } = await openLocalAgent();

describe("local-agent", () => {
  beforeAll(async () => {
    const { runners } = await t.dock.host.plugins.runners();
    expect(runners.map(({ manifest }) => manifest.id)).toContain("plugin:drydock/local-agent/default");
  });

  it("comes with Drydock, takes the models that are set up, and answers", async () => {
    expect(await t.dock.host.plugins.list()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ id: "drydock/local-agent", origin: "built-in", problem: null }),
      ]),
    );
    const { agent, say, deltas } = await newAgent();
    expect(agent).toMatchObject({
      runner: "plugin:drydock/local-agent/default",
      grants: { models: ["chat/small", "messages/small"] },
    });
    server.queue({ text: "Good morning to you", tokens: { input: 30, output: 4 } });
    expect(await say("Good morning")).toMatchObject({
      ...{ ok: true, text: "Good morning to you", error: null, warnings: [] },
      usage: { input_tokens: 30, output_tokens: 4 },
    });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Good morning to you");
    expect(sent(0)).toContain("You are a helpful assistant.");
  });

  it("can't be removed, and says so", async () => {
    await expect(t.dock.host.plugins.remove("drydock/local-agent")).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining("comes with Drydock"),
    });
  });

  it.each(["chat", "messages", "responses", "openai"])(
    "works over the wire of %s: stream, tool, answer",
    async (wire) => {
      const { say, deltas } = await newAgent({ grants: { models: [`${wire}/small`], tools: ["execute_code"] } });
      server.queue({ text: "Let me count.", ...callOf("print(6 * 7)") }, { text: "It is 42." });
      expect(await say("How much?")).toMatchObject({ ok: true, text: "Let me count.\n\nIt is 42." });
      expect(deltas.join("")).toBe("Let me count.\n\nIt is 42.");
      expect(sent(1)).toContain("42");
      expect(sent(1)).not.toContain("not carried out");
    },
  );

  it("without streaming gives the message only", async () => {
    const { say, deltas } = await newAgent();
    server.queue({ text: "Whole" });
    expect(await say("x", { delivery: { surface: "test" } })).toMatchObject({ ok: true, text: "Whole" });
    expect(deltas).toEqual([]);
  });

  it("has its prompt from its settings", async () => {
    const { say } = await newAgent({ config: { prompt: [{ role: "system", content: "Speak like a pirate." }] } });
    server.queue({ text: "Arr" });
    await say("Hello");
    expect(sent(0)).toContain("Speak like a pirate.");
    expect(sent(0)).not.toContain("helpful assistant");
  });

  it("is told of an event that is no message, and of its data", async () => {
    const { say } = await newAgent();
    server.queue({ text: "Noted" });
    expect(await say(null, { type: "issue.opened", data: { title: "It broke" } })).toMatchObject({ ok: true });
    expect(sent(0)).toMatch(/issue\.opened.*It broke/s);
  });
});

describe("models of local-agent", () => {
  it("are asked in order where one fails, and the one that answered is asked from then on", async () => {
    const { say } = await newAgent({
      config: { model: { primary: "chat/big", fallbacks: ["chat/small"] } },
      grants: { tools: ["execute_code"] },
    });
    server.answer(({ body, raw }) => {
      if (body.model === "big") return { status: 500, error: { message: "down" } };
      return raw.includes("tool_call_id") ? { text: "Done" } : callOf("1");
    });
    expect(await say("x")).toMatchObject({ ok: true, text: "Done" });
    expect(server.requests.map(({ body }) => body.model)).toEqual(["big", "small", "small"]);
  });

  it("are not exchanged after the first delta", async () => {
    const { say } = await newAgent({ config: { model: { primary: "chat/big", fallbacks: ["chat/small"] } } });
    server.answer(({ body }) => ({ text: "Half of an answer", ...(body.model === "big" && { midway: "error" }) }));
    expect(await say("x")).toMatchObject({
      ok: false,
      error: { code: "runner.failed", runnerCode: "local-agent.api_error", retryable: true },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("that all fail are named with their reasons", async () => {
    const { say } = await newAgent();
    expect(await say("x")).toMatchObject({
      ok: false,
      error: {
        runnerCode: "local-agent.api_error",
        message: expect.stringMatching(/None of 2 models.*chat\/small.*messages/s),
      },
    });
  });

  it("are missing: the answer says what to do", async () => {
    const { agent, say } = await newAgent({ grants: { models: ["chat/small"] } });
    await t.dock.host.agents.change(agent.name, { grants: { models: [] } });
    expect(await say("x")).toMatchObject({
      ok: false,
      error: {
        runnerCode: "runner.no_model",
        message: expect.stringContaining(`drydock agent edit ${agent.name} --model`),
      },
    });
    expect(server.requests).toEqual([]);
  });

  it("that say nothing are an error of its own", async () => {
    const { say } = await newAgent();
    server.queue({ text: "" });
    expect(await say("x")).toMatchObject({ ok: false, error: { runnerCode: "local-agent.empty_response" } });
  });

  it("think, and their thoughts are left out where the settings say so", async () => {
    const text = "<think>Hm, 2 < 3.</think>\n\nThree.";
    const { say, deltas } = await newAgent({ config: { "remove-think": true } });
    server.queue({ text });
    expect(await say("x")).toMatchObject({ ok: true, text: "Three." });
    expect(deltas.join("")).toBe("Three.");
    const other = await newAgent();
    server.queue({ text });
    expect(await other.say("x")).toMatchObject({ ok: true, text });
  });
});

describe("tools of local-agent", () => {
  it("end with their limit: the model is told, and a run that goes on calling fails", async () => {
    const { say } = await newAgent({ config: { "tool-rounds": 2 }, grants: { tools: ["execute_code"] } });
    server.queue(callOf("1"), callOf("2"), { text: "Enough" });
    expect(await say("x")).toMatchObject({ ok: true, text: "Enough" });
    expect(sent(1)).not.toContain("last call");
    expect(sent(2)).toContain("last call");
    server.queue(callOf("1"), callOf("2"), callOf("3"));
    expect(await say("again")).toMatchObject({ ok: false, error: { runnerCode: "local-agent.tool_limit" } });
    expect(server.requests).toHaveLength(6);
  });

  it("that are refused, fail or are made up come back to the model in words", async () => {
    const { say } = await newAgent({ grants: { tools: ["execute_code", "gone"] } });
    server.queue(
      { toolCalls: [{ name: "session_exec", input: '{"code":"1"}' }, ...callOf("raise ValueError('no')").toolCalls] },
      { text: "I see" },
    );
    expect(await say("x")).toMatchObject({ ok: true, text: "I see" });
    expect(sent(1)).toMatch(/session_exec[\s\S]*may not call/);
    expect(sent(1)).toContain("ValueError");
    const offered = ((server.requests[0]?.body.tools ?? []) as { function: { name: string } }[]).map(
      ({ function: f }) => f.name,
    );
    expect(offered).toEqual(["execute_code"]);
  });

  it("are those that the settings choose of the granted ones", async () => {
    const grants = { tools: ["execute_code", "session_exec"] };
    const { say } = await newAgent({ config: { tools: ["session_exec", "session_rollback"] }, grants });
    server.queue({ text: "ok" });
    await say("x");
    expect(JSON.stringify(server.requests[0]?.body.tools)).toMatch(/session_exec/);
    expect(JSON.stringify(server.requests[0]?.body.tools)).not.toMatch(/execute_code|session_rollback/);
  });
});

describe("settings of local-agent", () => {
  it.each([
    [{ "tool-rounds": -1 }, "tool-rounds"],
    [{ tools: "all" }, "tools"],
    [{ model: { primary: 7 } }, "model"],
  ])("that are not valid are named: %j", async (config, field) => {
    const { say } = await newAgent({ config, grants: { models: ["chat/small"] } });
    expect(await say("x")).toMatchObject({
      ok: false,
      error: { runnerCode: "local-agent.config_invalid", message: expect.stringContaining(`\`${field}\``) },
    });
  });

  it.each([
    [{ "history-tokens": "many" }, "history-tokens"],
    [{ "remove-think": "yes" }, "remove-think"],
  ])("of another type are refused when they are set: %j", async (config, field) => {
    await expect(newAgent({ config })).rejects.toMatchObject({ code: "input.invalid", data: { field } });
  });

  it("an empty message is refused before a model is asked", async () => {
    const { say } = await newAgent();
    expect(await say("  ")).toMatchObject({ ok: false, error: { runnerCode: "local-agent.input_error" } });
    expect(server.requests).toEqual([]);
  });
});
