import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";
import { alterEvent } from "../testing/alter-record.ts";
import { createScripts } from "../testing/scripts.ts";

let caller: Caller;
let agent: CallerAgent;
let runId: string;
const code = { language: "python", code: "import random; print(random.random())" };

beforeAll(async () => {
  caller = await openCaller();
  const model = createScripts(caller.home)([{ text: "answer", repeat: "always" }]);
  agent = await caller.addAgent({ grants: { tools: ["execute_code"], models: [model] } });
  const sent = await agent.send({
    results: [
      ["state.updated", { scope: "conversation", key: "k", value: 1 }],
      ["artifact.created", { artifact_type: "file", name: "a.txt", content_base64: "aGVsbG8=" }],
    ],
    calls: [
      ["call_tool", { tool_name: "execute_code", parameters: code }],
      ["invoke_llm", { model_id: model, messages: [{ role: "user", content: "hi" }] }],
      ["state_set", { scope: "conversation", key: "n", value: "x".repeat(5000) }],
      ["history_page", { conversation_id: "another" }],
    ],
  });
  if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
  runId = sent.runId;
});
afterAll(() => caller.close());

it("a runner's run is replayed with the answers that are on record, refusals included, and nothing is done again", async () => {
  const before = (await caller.dock.runs.list({ limit: 100 })).runs.filter(({ kind }) => kind === "exec").length;
  const replayed = await caller.dock.runs.replay(runId);
  expect(replayed).toMatchObject({ ok: true, divergences: [] });
  expect(replayed.steps).toBe(4);
  expect(await caller.dock.runs.get(replayed.runId ?? "")).toMatchObject({ kind: "runner", status: "succeeded" });
  // One process of the plugin, and no tool.
  const after = (await caller.dock.runs.list({ limit: 100 })).runs.filter(({ kind }) => kind === "exec").length;
  expect(after - before).toBe(1);
});

it("the first difference is named: another plugin, a call that is not on record, another result", async () => {
  const plugin = join(caller.home, "plugins/test/caller");
  const main = readFileSync(join(plugin, "main.mjs"), "utf8");
  const change = (from: string, to: string) => writeFileSync(join(plugin, "main.mjs"), main.replace(from, to));
  change("const answers = [];", 'const answers = [await call("event_page", { run_id })];');
  expect((await caller.dock.runs.replay(runId)).divergences[0]).toMatchObject({
    step: "call 1",
    what: "the call event_page",
    recorded: "not made",
  });
  change(
    'send("message.completed", { message: { role: "assistant", content } })',
    'send("message.completed", { message: { content: "no" } })',
  );
  expect((await caller.dock.runs.replay(runId)).divergences).toMatchObject([
    { step: "result 3", what: "the message", replayed: "no" },
  ]);
  change("for (const [method, params] of calls)", "for (const [method, params] of calls.slice(1))");
  expect((await caller.dock.runs.replay(runId)).divergences[0]).toMatchObject({
    what: "the call call_tool",
    replayed: "not made",
  });
  writeFileSync(join(plugin, "main.mjs"), main);
  expect(await caller.dock.runs.replay(runId)).toMatchObject({ ok: true });
});

it("an altered record is named first: one byte of the message, of the state's key", async () => {
  const request = { results: [["state.updated", { scope: "conversation", key: "k", value: 7 }] as const] };
  for (const [type, from, to] of [
    ["message.sent", "answers", "answerz"],
    ["state.changed", '"key":"k"', '"key":"l"'],
  ] as const) {
    const sent = await agent.send(request);
    if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
    alterEvent(caller.home, sent.runId, type, from, to);
    const { ok, divergences } = await caller.dock.runs.replay(sent.runId);
    expect(ok).toBe(false);
    expect(divergences[0]).toMatchObject({ what: expect.stringContaining(type), cause: "record" });
    expect(divergences.slice(1).every(({ follows }) => follows)).toBe(true);
  }
});
