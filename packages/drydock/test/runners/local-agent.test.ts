import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startProviderServer, type WireRequest } from "../../src/models/testing/provider-server.ts";
import { startModelServer } from "../knowledge/testing/start-model-server.ts";
import { openTestDock } from "../testing/test-dock.ts";

const server = await startProviderServer();
const ranking = await startModelServer();
const baseUrl = server.baseUrl;
const CONFIG = {
  models: {
    ...{ retries: 0, default: "chat/small", fallbacks: ["messages/small"] },
    providers: {
      chat: { baseUrl },
      messages: { baseUrl, api: "anthropic" },
      responses: { baseUrl, api: "openai-responses" },
      openai: { baseUrl, api: "openai" },
      local: { baseUrl: ranking.url },
    },
  },
};
const t = openTestDock({
  prepare: (home) => writeFileSync(join(home, "config.yaml"), JSON.stringify(CONFIG)),
});
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Settings = Omit<Parameters<Dock["host"]["agents"]["add"]>[0], "name" | "runner">;
type Event = Parameters<Dock["host"]["send"]>[0];
let count = 0;

afterAll(async () => {
  await server.close();
  await ranking.close();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer(() => ({ status: 599, error: { message: "no reply is queued" } }));
});

/** A new agent; `say` sends it a message in a conversation of its own, or in the one that is named. */
async function newAgent(settings: Settings = {}) {
  const { host } = t.dock;
  const name = `agent-${++count}`;
  const agent = await host.agents.add({ name, runner: "local-agent", ...settings });
  const conversation_id = `conversation-${count}`;
  const deltas: string[] = [];
  return {
    agent,
    deltas,
    say: (text: string | null, event: Partial<Event> = {}) =>
      host.send(
        {
          ...{ type: "message.received", source: "api", conversation: { conversation_id } },
          delivery: { surface: "test", supports_streaming: true },
          ...{ input: { text, contents: [] }, ...event },
        },
        { agent: name, onDelta: (piece) => deltas.push(piece) },
      ),
  };
}

/** What a request says, whatever the protocol of its provider. */
const sent = (index: number) => server.requests.at(index)?.raw ?? "";
const messagesOf = ({ body }: WireRequest) => body.messages as { role: string; content: unknown }[];
const callOf = (code: string) => ({
  toolCalls: [{ name: "execute_code", input: JSON.stringify({ language: "python", code }) }],
});

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
    [{ "history-tokens": "many" }, "history-tokens"],
    [{ tools: "all" }, "tools"],
    [{ "remove-think": "yes" }, "remove-think"],
    [{ model: { primary: 7 } }, "model"],
  ])("that are not valid are named: %j", async (config, field) => {
    const { say } = await newAgent({ config, grants: { models: ["chat/small"] } });
    expect(await say("x")).toMatchObject({
      ok: false,
      error: { runnerCode: "local-agent.config_invalid", message: expect.stringContaining(`\`${field}\``) },
    });
  });

  it("an empty message is refused before a model is asked", async () => {
    const { say } = await newAgent();
    expect(await say("  ")).toMatchObject({ ok: false, error: { runnerCode: "local-agent.input_error" } });
    expect(server.requests).toEqual([]);
  });
});

describe("pictures and files of local-agent", () => {
  const contents = [{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }];

  it.each(["chat", "messages", "responses"])(
    "reach the model over the wire of %s, with the passages before them",
    async (wire) => {
      const { say } = await newAgent({ grants: { models: [`${wire}/small`] } });
      server.queue({ text: "A dot" });
      const result = await say(null, { input: { text: "What is it?", contents } });
      expect(result).toMatchObject({ ok: true, text: "A dot" });
      expect(sent(0)).toContain(PNG);
      expect(sent(0)).toContain("What is it?");
      if (result.kind !== "answered") throw new Error();
      // The record names the picture by its hash, and holds it nowhere as text.
      const { runs } = await t.dock.runs.list({ limit: 5 });
      for (const { id } of runs) expect(JSON.stringify(await t.dock.runs.events(id))).not.toContain(PNG);
    },
  );

  it("of text become text, and what no model can read is named", async () => {
    const { say } = await newAgent();
    const asFile = (mime: string, text: string) => ({
      ...{ type: "image_url", image_url: { url: `data:${mime};base64,${Buffer.from(text).toString("base64")}` } },
    });
    server.queue({ text: "ok" });
    await say(null, {
      input: { text: "Read", contents: [asFile("text/csv", "a,b\n1,golden"), asFile("application/zip", "PK")] },
    });
    expect(sent(0)).toContain("1,golden");
    expect(sent(0)).toMatch(/attachment-2.*application\/zip, 2 bytes/);
  });
});

describe("knowledge of local-agent", () => {
  beforeAll(async () => {
    const files = {
      "a.md": "The crane lifts five tonnes.",
      "b.md": "The crane is painted. It is golden, and the crane operator is Ann.",
      "c.md": "Soup is served at noon.",
    };
    await t.dock.knowledge.add("yard", [t.makeWorkspace(files)]);
  });

  it("goes with the question, with sources, and ranked by a rerank model", async () => {
    const { say } = await newAgent({ config: { "knowledge-bases": ["yard"], "knowledge-top-k": 2 } });
    server.queue({ text: "Five" });
    expect(await say("What does the crane lift?")).toMatchObject({ ok: true });
    expect(sent(0)).toMatch(/\[1\] .*a\.md, line 1.*five tonnes.*What does the crane lift/s);
    expect(sent(0)).not.toContain("Soup");

    const ranked = await newAgent({
      config: { "knowledge-bases": ["yard"], "rerank-model": "local/ranker", "rerank-top-k": 1 },
    });
    server.queue({ text: "Ann" });
    expect(await ranked.say("What does the crane lift?")).toMatchObject({ ok: true });
    expect(sent(-1)).toMatch(/\[1\] .*b\.md/);
    expect(sent(-1)).not.toContain("five tonnes");
    expect(ranking.requests.at(-1)?.body).toMatchObject({ model: "ranker", query: "What does the crane lift?" });

    ranking.failure = 500;
    server.queue({ text: "Five" });
    expect(await ranked.say("And the crane again?")).toMatchObject({ ok: true });
    expect(sent(-1)).toContain("five tonnes");
    ranking.failure = null;
  });
});

describe("history of local-agent", () => {
  it("goes with the next question, and not into another conversation", async () => {
    const { say } = await newAgent();
    server.queue({ text: "Hello Ann" }, { text: "Ann" }, { text: "I do not know" });
    await say("My name is Ann");
    await say("Who am I?");
    expect(messagesOf(server.requests[1] as WireRequest).map(({ role }) => role)).toEqual([
      ...["system", "user", "assistant", "user"],
    ]);
    expect(sent(1).match(/Who am I/g)).toHaveLength(1);
    await say("Who am I?", { conversation: { conversation_id: "another" } });
    expect(sent(2)).not.toContain("Ann");
  });

  it("is summarized where it is too long; the summary is kept, goes on, and is void when the conversation is forgotten", async () => {
    const { say } = await newAgent({ config: { "history-tokens": 300 } });
    const isSummary = (raw: string) => raw.includes("Summarize the conversation");
    server.answer(({ raw }) => ({ text: isSummary(raw) ? "SUMMARY: the code word is heron" : "Yes" }));
    for (const text of ["The code word is heron.", ...Array.from({ length: 6 }, () => "words ".repeat(60))])
      await say(text);
    const summaries = server.requests.filter(({ raw }) => isSummary(raw));
    expect(summaries.length).toBeGreaterThanOrEqual(1);
    expect(summaries[0]?.raw).toContain("The code word is heron.");

    server.requests.length = 0;
    await say("What is the code word?");
    const last = messagesOf(server.requests.at(-1) as WireRequest);
    expect(JSON.stringify(last)).toContain("SUMMARY: the code word is heron");
    expect(JSON.stringify(last)).not.toContain("The code word is heron.");
    expect(JSON.stringify(last).length).toBeLessThan(300 * 6);
    // The older messages were summarized once: what is covered is not read again.
    for (const { raw } of server.requests) expect(raw).not.toContain("The code word is heron.");

    const { conversations } = await t.dock.host.conversations.list({ limit: 1 });
    await t.dock.host.conversations.delete(conversations[0]?.id ?? "");
    server.requests.length = 0;
    await say("And now?");
    expect(sent(-1)).not.toContain("heron");
  });

  it("without a summary falls back to the newest messages", async () => {
    const { say } = await newAgent({ config: { "history-tokens": 200 } });
    server.answer(({ raw }) => (raw.includes("Summarize the") ? { status: 400 } : { text: "Yes" }));
    for (const text of ["First of all", ...Array.from({ length: 4 }, () => "words ".repeat(60))]) await say(text);
    expect(await say("Last")).toMatchObject({ ok: true, text: "Yes" });
    expect(sent(-1)).not.toContain("First of all");
    expect(sent(-1)).toContain("words words");
  });
});

describe("messages that come during a run of local-agent", () => {
  it("reach the model at its next turn, and before the end", async () => {
    const { say } = await newAgent({ grants: { tools: ["execute_code"] } });
    const second: ReturnType<typeof say>[] = [];
    const absorbed = async (text: string) => {
      second.push(say(text));
      await second.at(-1);
    };
    let turn = 0;
    server.answer(async () => {
      turn++;
      if (turn === 1) {
        await absorbed("Make it Tuesday");
        return callOf("1");
      }
      if (turn === 2) {
        await absorbed("And in the morning");
        return { text: "Tuesday, then" };
      }
      return { text: "Tuesday morning" };
    });
    expect(await say("Monday?")).toMatchObject({
      ok: true,
      messages: [{ content: "Tuesday, then" }, { content: "Tuesday morning" }],
    });
    expect(await Promise.all(second)).toMatchObject([{ kind: "absorbed" }, { kind: "absorbed" }]);
    expect(sent(1)).toContain("Make it Tuesday");
    expect(sent(2)).toContain("And in the morning");
  });
});
