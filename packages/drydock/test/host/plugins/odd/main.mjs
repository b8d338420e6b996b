// Speaks the protocol by hand, so that it can also break it.
import { createInterface } from "node:readline";

const manifest = {
  id: "plugin:test/odd/default",
  name: "default",
  label: { en: "Odd" },
  capabilities: { streaming: true, steering: true, interrupt: true },
  permissions: {
    history: ["page", "search"],
    events: ["get", "page"],
    storage: ["plugin"],
    artifacts: ["metadata", "read"],
  },
};
const waiting = new Map();
let nextId = 1;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A call of the host API. */
function call(method, params) {
  const id = nextId++;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const DEEDS = {
  async stream({ send, say }) {
    for (const word of ["one ", "two ", "three"]) send("message.delta", { chunk: { content: word } });
    say("one two three");
  },
  async redraft({ send, say }) {
    send("message.delta", { chunk: { content: "a draft" } });
    say("the answer");
  },
  async deltas({ send }) {
    for (const word of ["a", "b", "c"]) send("message.delta", { chunk: { content: word } });
  },
  async slow({ send, say }) {
    const words = Array.from({ length: 20 }, (_, index) => `${index} `);
    for (const content of words) {
      send("message.delta", { chunk: { content } });
      await sleep(30);
    }
    say(words.join(""));
  },
  async tool({ send, say }) {
    const named = { tool_call_id: "t1", tool_name: "search" };
    send("tool.call.started", { ...named, parameters: { words: "ships" } });
    send("tool.call.completed", { ...named, result: "3 ships" });
    say("There are 3 ships.");
  },
  async silent() {},
  async twice({ send, say }) {
    say("once");
    send("run.completed", { finish_reason: "stop" });
    send("run.completed", { finish_reason: "again" });
    send("message.completed", { message: { content: "late" } });
  },
  async nonsense() {
    process.stdout.write("this is no message\n");
    await sleep(10_000);
  },
  async long() {
    process.stdout.write(`${"x".repeat(5 * 1024 * 1024)}\n`);
    await sleep(10_000);
  },
  async foreign({ raw }) {
    raw({ run_id: "run_other", type: "message.completed", data: { message: { content: "mine" } } });
    await sleep(10_000);
  },
  async typeless({ raw }) {
    raw({ data: {} });
    await sleep(10_000);
  },
  async unknown({ send, say }) {
    send("message.painted", {});
    say("known");
  },
  async sequence({ raw, say }) {
    const delta = (sequence, content) => raw({ type: "message.delta", data: { chunk: { content } }, sequence });
    delta(1, "a");
    delta(1, "a");
    delta(5, "b");
    delta("six", "c");
    say("abc");
  },
  async base64({ send }) {
    send("artifact.created", { artifact_type: "file", content_base64: "no base64!" });
    await sleep(10_000);
  },
  async artifact({ context, send, say }) {
    send("artifact.created", {
      artifact_type: "file",
      name: "a.txt",
      mime_type: "text/plain",
      content_base64: btoa("hello"),
    });
    const { result } = await call("state_get", { run_id: context.run_id, scope: "conversation", key: "none" });
    say(`state ${JSON.stringify(result.value)}`);
  },
  async crash({ send }) {
    send("message.delta", { chunk: { content: "before" } });
    process.exit(3);
  },
  async hang() {
    await sleep(100_000);
  },
  async fail({ send }) {
    send("run.failed", { code: "odd.config_invalid", error: "no key", retryable: true });
  },
  async state({ context, say }) {
    const run_id = context.run_id;
    await call("state_set", {
      run_id,
      scope: "conversation",
      key: "count",
      value: (context.state.conversation.count ?? 0) + 1,
    });
    const { result } = await call("state_get", { run_id, scope: "conversation", key: "count" });
    const refused = await call("state_set", { run_id, scope: "runner", key: "x", value: 1 });
    say(`count ${result.value}, runner ${refused.error.data.code}`);
  },
  async history({ context, say }) {
    const { result } = await call("history_page", { run_id: context.run_id, limit: 10 });
    say(result.items.map(({ role, content }) => `${role}: ${content}`).join("\n"));
  },
  async forbidden({ context, say }) {
    const codes = [];
    const run_id = context.run_id;
    for (const [method, params] of [
      ["invoke_llm", { run_id, model_id: "x", messages: [{ role: "user", content: "hi" }] }],
      ["call_tool", { run_id, tool_name: "x" }],
      ["retrieve_knowledge", { run_id, kb_id: "x", query_text: "y" }],
      ["get_workspace_storage", { run_id, key: "x" }],
      ["history_page", { run_id, conversation_id: "another" }],
      ["history_page", { run_id, before_cursor: "forged" }],
      ["history_page", { run_id, limit: 101 }],
      ["history_page", { run_id: "run_another" }],
      ["history_page", { run_id, plugin: "other" }],
    ])
      codes.push((await call(method, params)).error?.data?.code ?? "allowed");
    say(codes.join(" "));
  },
  async steer({ context, say }) {
    for (let round = 0; round < 100; round++) {
      const { result } = await call("steering_pull", { run_id: context.run_id });
      if (result.items.length > 0) return say(`steered: ${result.items.map(({ input }) => input.text).join(", ")}`);
      await sleep(50);
    }
    say("nobody steered");
  },
  async flood() {
    for (let line = 0; line < 20_000; line++) process.stderr.write(`${"e".repeat(100)}\n`);
    await sleep(100);
  },
  async thousand({ context, say }) {
    const calls = Array.from({ length: 1000 }, () => call("get_host_version", { run_id: context.run_id }));
    const codes = (await Promise.all(calls)).map(({ error }) => error?.data?.code ?? "ok");
    say(`${codes.filter((code) => code === "ok").length > 0} ${codes.includes("rate_limited")}`);
  },
};

async function run({ id, params }) {
  const { channel, context } = params;
  const raw = (result) => write({ method: "run.result", params: { channel, result } });
  const send = (type, data) => raw({ type, data });
  const say = (content) => send("message.completed", { message: { role: "assistant", content } });
  const deed = DEEDS[context.input.text];
  if (deed) await deed({ context, raw, send, say });
  else say(`You said: ${context.input.text}`);
  write({ id, result: {} });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.method === undefined) waiting.get(message.id)?.(message);
  else if (message.method === "initialize")
    write({
      id: message.id,
      result: {
        protocol_version: "1",
        runners: [
          { plugin_author: "test", plugin_name: "odd", runner_name: "default", manifest },
          { plugin_author: "test", plugin_name: "odd", runner_name: "broken", manifest: { id: "plugin:test/odd" } },
        ],
      },
    });
  else if (message.method === "runner.run") void run(message);
  else if (message.method === "ping") write({ id: message.id, result: {} });
}
