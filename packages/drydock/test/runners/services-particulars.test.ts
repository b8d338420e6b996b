import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { REPLAYS, SERVICE_KEY } from "./testing/replays.ts";
import { startServiceServer } from "./testing/start-service-server.ts";

const other = await startServiceServer(REPLAYS);
const server = await startServiceServer({
  ...REPLAYS,
  redirect: (_, answer) => answer.redirect(`http://127.0.0.1:${other.port}/dify/v1/chat-messages`),
});
const at = (path: string) => `http://127.0.0.1:${server.port}/${path}`;
const t = openTestDock({
  prepare: (home) =>
    writeFileSync(join(home, "policy.yaml"), `version: 1\nnetwork:\n  allow: ["127.0.0.1:${server.port}"]\n`),
});
const key = { "api-key": "SERVICE_KEY" };
const DIFY = { ...key, "base-url": at("dify/v1") };
const STREAM = { delivery: { surface: "test", supports_streaming: true } };
let count = 0;

beforeAll(() => t.dock.extensions.secrets.set("SERVICE_KEY", SERVICE_KEY));
afterAll(async () => {
  await server.close();
  await other.close();
});
beforeEach(() => {
  server.requests.length = 0;
});

async function newAgent(runner: string, config: Record<string, unknown>) {
  const name = `agent-${++count}`;
  const agent = await t.dock.host.agents.add({ name, runner, config });
  const say = async (text: string, event: Partial<Parameters<Dock["host"]["send"]>[0]> = {}) => {
    const message = {
      ...{ type: "message.received", conversation: { conversation_id: `talk-${name}` } },
      ...{ actor: { actor_type: "user", actor_id: "ann" }, input: { text }, delivery: { surface: "test" } },
      ...event,
    };
    const result = await t.dock.host.send(message, { agent: name });
    if (result.kind !== "answered") throw new Error(result.kind);
    return result;
  };
  return { agent, say };
}

it("keeps a key out of settings, records and errors: settings name a secret", async () => {
  const { agent, say } = await newAgent("dify", DIFY);
  expect(agent.config["api-key"]).toBe("SERVICE_KEY");
  const { runId, ok } = await say("hello");
  expect(ok).toBe(true);
  expect(JSON.stringify([agent, await t.dock.runs.get(runId), await t.dock.runs.events(runId)])).not.toContain(
    SERVICE_KEY,
  );
  const refused = t.dock.host.agents.add({
    name: "wrong",
    runner: "dify",
    config: { ...DIFY, "api-key": "app-literal-key-1" },
  });
  await expect(refused).rejects.toMatchObject({
    code: "input.invalid",
    hint: expect.stringContaining("drydock secret set"),
  });
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("app-literal-key-1") });
  const change = t.dock.host.agents.change(agent.name, { config: { ...DIFY, "api-key": "NO_SUCH_KEY" } });
  await expect(change).rejects.toMatchObject({ code: "input.invalid" });
});

it("reaches the hosts of its agents' addresses, as far as the policy goes, and no others", async () => {
  const denied = await newAgent("dify", { ...DIFY, "base-url": `http://127.0.0.1:${other.port}/dify/v1` });
  const { error } = await denied.say("hello");
  expect(error).toMatchObject({ runnerCode: "dify.http_error" });
  expect(other.requests).toEqual([]);
  // Another agent of the same plugin does not suffer from it.
  expect(await (await newAgent("dify", DIFY)).say("hello")).toMatchObject({ ok: true, text: "Hello there" });
});

it("does not follow a redirection, which could take the key elsewhere", async () => {
  const { say } = await newAgent("dify", { ...DIFY, "base-url": at("redirect/v1") });
  const { error } = await say("hello");
  expect(error).toMatchObject({ runnerCode: "dify.http_error", message: expect.stringContaining("302") });
  expect(other.requests).toEqual([]);
});

it.each([
  ["no address", "nonsense"],
  ["another protocol", "file:///etc/passwd"],
  ["a password in it", "http://ann:secret@127.0.0.1/v1"],
])("refuses an address that is %s", async (_, url) => {
  const { say } = await newAgent("dify", { ...DIFY, "base-url": url });
  const { error } = await say("hello");
  expect(error).toMatchObject({ runnerCode: "dify.config_invalid", message: expect.stringContaining("base-url") });
});

it("begins a conversation anew that the service no longer has", async () => {
  const { say } = await newAgent("dify", DIFY);
  await say("hello, and be forgotten");
  server.requests.length = 0;
  expect(await say("hello again")).toMatchObject({ ok: true, text: "Hello there" });
  expect(server.requests.map(({ body }) => body.conversation_id)).toEqual(["gone", ""]);
});

it("Dify: an agent streams, also where nobody looks on, and its last message is the whole", async () => {
  const { say } = await newAgent("dify", { ...DIFY, "app-type": "agent" });
  expect(await say("hello as an agent")).toMatchObject({ ok: true, text: "Hello there" });
  expect(server.requests.at(-1)?.body.response_mode).toBe("streaming");
});

it.each([{}, STREAM])(
  "Dify: a workflow gets the message in a variable, and its output is the answer: %j",
  async (event) => {
    const { say } = await newAgent("dify", { ...DIFY, "app-type": "workflow", inputs: { tone: "kind" } });
    expect(await say("hello", event)).toMatchObject({ ok: true, text: "Hello there" });
    expect(server.requests.at(-1)?.body.inputs).toEqual({ tone: "kind", query: "hello" });
    expect(await say("fail", event)).toMatchObject({ ok: false, error: { runnerCode: "dify.api_error" } });
  },
);

it("Dify: a workflow that waits for a person asks the host for an action", async () => {
  const { say } = await newAgent("dify", { ...DIFY, "app-type": "workflow" });
  const result = await say("pause", STREAM);
  expect(result).toMatchObject({ ok: true, text: expect.stringContaining("Send it?") });
  expect(result.warnings.join()).toContain("dify.resume");
});

it("DashScope and WeKnora: sources stand below the answer where that is wanted", async () => {
  const dash = await newAgent("dashscope", { ...key, "base-url": at("dashscope"), "app-id": "a", references: true });
  expect((await dash.say("hello", STREAM)).text).toBe("Hello there\n\n[1] yard.pdf");
  const base = { ...key, "base-url": at("weknora/api/v1"), references: true };
  const chat = await newAgent("weknora", { ...base, "app-type": "chat", "knowledge-base-ids": ["kb-1"] });
  expect((await chat.say("hello")).text).toBe("Hello there\n- yard.txt");
  expect(server.requests.at(-1)).toMatchObject({
    path: "/api/v1/knowledge-chat/wk-1",
    body: { agent_id: "builtin-quick-answer", knowledge_base_ids: ["kb-1"] },
  });
});

it("DeerFlow: a question back is the answer, failures of sub-tasks are an error", async () => {
  const { say } = await newAgent("deerflow", { ...key, "base-url": at("deerflow"), "model-name": "big" });
  expect((await say("hello, unclear")).text).toBe("Which yard?");
  expect(server.requests.at(-1)?.body).toMatchObject({
    ...{ assistant_id: "lead_agent", config: { recursion_limit: 1000 } },
    context: { thread_id: "thread-1", max_concurrent_subagents: 3, model_name: "big" },
  });
  expect(await say("fail")).toMatchObject({ error: { message: expect.stringContaining("t1: no sources") } });
});

it("LiteLLM Agent Platform: the harness hears of the run; both interfaces work; one of agent and harness is needed", async () => {
  const base = { ...key, "base-url": at("litellm-agent-platform") };
  const platform = await newAgent("litellm-agent-platform", { ...base, "api-mode": "platform", harness: "codex" });
  const { runId, text } = await platform.say("hello");
  expect(text).toBe("Hello there");
  expect(server.requests.find(({ path }) => path.endsWith("/message"))?.path).toBe("/session/plat-1/message");
  expect(server.requests.some(({ raw }) => raw.includes(runId))).toBe(true);
  const neither = await newAgent("litellm-agent-platform", base);
  expect(await neither.say("hello")).toMatchObject({ error: { runnerCode: "litellm-agent-platform.config_invalid" } });
});
