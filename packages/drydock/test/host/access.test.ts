import { setTimeout as sleep } from "node:timers/promises";
import { HOST_METHODS, type HostMethod } from "@drydock/protocol/runner";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripts } from "../testing/scripts.ts";
import { type Caller, type CallerAgent, openCaller } from "./testing/open-caller.ts";

/** The caller's own artifact and event: it puts their ids in. */
const ARTIFACT = "ARTIFACT";
const PICTURE = { type: "image_url" as const, image_url: { url: "data:image/png;base64,aGVsbG8=" } };
const MODEL = "MODEL";
const prompt = [{ role: "user", content: "hi" }];
const stored = { key: "k", value: Buffer.from("v").toString("base64") };
const state = { scope: "conversation", key: "k" };

/**
 * Params of each call, and what it gives where it is granted. Calls of knowledge bases, rerank models and files have no
 * resource here: they are refused in any case, and their own tests grant them.
 */
const TABLE: Record<HostMethod, { params: object; gives?: object; needsNothing?: true }> = {
  invoke_llm: { params: { model_id: MODEL, messages: prompt }, gives: { message: { content: "answer" } } },
  invoke_llm_stream: { params: { model_id: MODEL, messages: prompt, stream_id: "s" }, gives: { message: {} } },
  invoke_rerank: { params: { model_id: "none", query: "q", documents: ["d"] } },
  count_tokens: { params: { model_id: "none", messages: prompt } },
  get_tool_detail: { params: { tool_name: "execute_code" }, gives: { parameters: { type: "object" } } },
  call_tool: {
    params: { tool_name: "execute_code", parameters: { language: "python", code: "print(1)" } },
    gives: { result: { failed: false } },
  },
  list_knowledge_bases: { params: {} },
  retrieve_knowledge: { params: { kb_id: "none", query_text: "q" } },
  history_page: { params: {}, gives: { items: [{ role: "user" }] } },
  history_search: { params: { query: "calls" }, gives: { items: [{ role: "user" }] } },
  event_get: { params: { event_id: "EVENT" }, gives: { event_type: "message.received" } },
  event_page: { params: {}, gives: { items: [{ event_type: "message.received" }] } },
  steering_pull: { params: {}, gives: { items: [] } },
  artifact_metadata: { params: { artifact_id: ARTIFACT }, gives: { mime_type: "image/png", size_bytes: 5 } },
  artifact_read: { params: { artifact_id: ARTIFACT }, gives: { content_base64: "aGVsbG8=" } },
  artifact_read_range: { params: { artifact_id: ARTIFACT, offset: 1, length: 2 }, gives: { content_base64: "ZWw=" } },
  state_set: { params: { ...state, value: 1 }, gives: {} },
  state_get: { params: state, gives: { value: 1 } },
  state_list: { params: { scope: "conversation" }, gives: { items: [{ key: "k", value: 1 }] } },
  state_delete: { params: state, gives: {} },
  set_plugin_storage: { params: stored, gives: {} },
  get_plugin_storage: { params: { key: "k" }, gives: { value: stored.value } },
  get_plugin_storage_keys: { params: {}, gives: { keys: ["k"] } },
  delete_plugin_storage: { params: { key: "k" }, gives: {} },
  set_workspace_storage: { params: stored, gives: {} },
  get_workspace_storage: { params: { key: "k" }, gives: { value: stored.value } },
  get_workspace_storage_keys: { params: {}, gives: { keys: ["k"] } },
  delete_workspace_storage: { params: { key: "k" }, gives: {} },
  get_file: { params: { file_key: "none" } },
  harness_open: { params: {} },
  harness_send: { params: { message: "{}" } },
  harness_read: { params: {} },
  harness_close: { params: {} },
  get_prompt: { params: {}, gives: { messages: expect.any(Array) }, needsNothing: true },
  get_host_version: { params: {}, gives: { version: expect.any(String) }, needsNothing: true },
};
const METHODS = Object.keys(TABLE) as HostMethod[];
const NO_GRANTS = {
  ...{ history: false, events: false, artifacts: false, pluginStorage: false, workspaceStorage: false },
  stateScopes: [],
};
const LANGUAGES = [
  ["TypeScript", "plugin:test/caller"],
  ["Python", "plugin:test/caller-python"],
] as const;

let caller: Caller;
let model: string;

beforeAll(async () => {
  caller = await openCaller({ plugins: ["caller", "caller-python"] });
  model = createScripts(caller.home)([{ text: "answer", repeat: "always" }]);
});
afterAll(() => caller.close());

const grants = () => ({
  ...{ models: [model], tools: ["execute_code"], workspaceStorage: true },
  stateScopes: ["conversation" as const],
});
const workspace = { conversation: { workspace_id: "w" } };
const callsOf = async (runId: string) =>
  (await caller.dock.runs.events(runId)).filter(({ type }) => type === "host.called").map(({ data }) => data);
const codeOf = (answer: Record<string, unknown> | undefined) => Object(answer?.error).code ?? "ok";

const paramsOf = (method: HostMethod) =>
  JSON.parse(JSON.stringify(TABLE[method].params).replaceAll(`"${MODEL}"`, JSON.stringify(model)));

/** Runs the calls with a runner, and gives its answers. Params that name a model, event or artifact are filled in. */
async function make(agent: CallerAgent, methods: readonly HostMethod[]) {
  const calls = methods.map((method) => [method, paramsOf(method)] as const);
  const started = Promise.withResolvers<string>();
  const input = { text: JSON.stringify({ calls }), contents: [PICTURE] };
  const sent = await agent.send("", { onStarted: started.resolve }, { ...workspace, input });
  if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
  return { answers: JSON.parse(sent.text).answers as Record<string, unknown>[], runId: await started.promise };
}

it("the table has every call of the host API", () => {
  expect([...METHODS].sort()).toEqual([...HOST_METHODS].sort());
});

describe.each(LANGUAGES)("a runner in %s", (_, plugin) => {
  const granted = METHODS.filter((method) => TABLE[method].gives);
  /** The SDK gives the chunks of a stream, and its answer at the end. */
  const givesOf = (method: HostMethod) =>
    method === "invoke_llm_stream" && plugin.endsWith("python")
      ? { chunks: expect.any(Array), answer: { message: {} } }
      : TABLE[method].gives;

  it("can make each call that is granted, and each is on record", async () => {
    const agent = await caller.addAgent({ runner: `${plugin}/all`, grants: grants() });
    const { answers, runId } = await make(agent, granted);
    for (const [index, method] of granted.entries())
      expect([method, answers[index]]).toMatchObject([method, givesOf(method)]);
    expect((await callsOf(runId)).map(({ method, ok }) => [method, ok])).toEqual(granted.map((name) => [name, true]));
  });

  it.each([
    ["the agent does not grant it", "all"],
    ["the runner did not ask for it", "nothing"],
  ])("is refused each call, on record, where %s", async (_reason, runner) => {
    const withdrawn = runner === "all" ? NO_GRANTS : { ...grants(), stateScopes: [] };
    const agent = await caller.addAgent({ runner: `${plugin}/${runner}`, grants: withdrawn });
    const { answers, runId } = await make(agent, METHODS);
    const isOpen = (method: HostMethod) =>
      TABLE[method].needsNothing || (runner === "all" && method === "steering_pull");
    const expected = METHODS.map((method) => [method, isOpen(method) ? "ok" : "unauthorized"]);
    expect(METHODS.map((method, index) => [method, codeOf(answers[index])])).toEqual(expected);
    expect((await callsOf(runId)).map(({ method, code = "ok" }) => [method, code])).toEqual(expected);
  });
});

it("the prompt is that of the agent's settings, else that of the form", async () => {
  const plain = await caller.addAgent({});
  expect((await plain.ask({ calls: [["get_prompt"]] })).answers[0]).toEqual({
    messages: [{ role: "system", content: "Be brief." }],
  });
  const set = await caller.addAgent({ config: { prompt: "Be long." } });
  expect((await set.ask({ calls: [["get_prompt"]] })).answers[0]).toEqual({
    messages: [{ role: "system", content: "Be long." }],
  });
});

describe("ids", () => {
  it("an artifact and an event are read by their own run and conversation only", async () => {
    const agent = await caller.addAgent({ grants: grants() });
    const artifact = { artifact_type: "file", name: "a.txt", mime_type: "text/plain", content_base64: "aGVsbG8=" };
    const first = await agent.send({ results: [["artifact.created", artifact]] });
    if (first.kind !== "answered") throw new Error();
    const [stored] = await caller.dock.runs.artifacts(first.runId);
    const calls = [
      ["artifact_metadata", { artifact_id: stored?.id }],
      ["artifact_read", { artifact_id: stored?.id }],
      ["event_get", { event_id: first.eventId }],
    ] as const;
    const { answers } = await agent.ask({ calls });
    expect(answers.map(codeOf)).toEqual(["not_found", "not_found", "not_found"]);
  });

  it("a finished run's, another run's and an invented id are refused and recorded", async () => {
    const agent = await caller.addAgent({ grants: grants() });
    const finished = await agent.ask({});
    const started = Promise.withResolvers<string>();
    const other = await caller.addAgent({ runner: "plugin:test/caller-python/all", grants: grants() });
    const tool = ["call_tool", { tool_name: "execute_code", parameters: { language: "python", code: SLOW } }] as const;
    const running = other.send({ calls: [tool] }, { onStarted: started.resolve });
    const foreign = await started.promise;
    const calls = [finished.runId, foreign, "run_invented"].map((run_id) => ["history_page", { run_id }] as const);
    const { answers, runId } = await agent.ask({ calls });
    expect(answers.map(codeOf)).toEqual(["unauthorized", "unauthorized", "unauthorized"]);
    expect((await callsOf(runId)).map(({ method, code }) => [method, code])).toEqual(
      Array(3).fill(["history_page", "unauthorized"]),
    );
    expect(await running).toMatchObject({ ok: true });
    expect((await callsOf(foreign)).map(({ method }) => method)).toEqual(["call_tool"]);
  });

  it("a wider scope is refused", async () => {
    const agent = await caller.addAgent({ grants: grants() });
    const { answers } = await agent.ask({
      calls: [
        ["history_page", { conversation_id: "another" }],
        ["state_get", { scope: "runner", key: "k" }],
        ["state_set", { scope: "actor", key: "k", value: 1 }],
        ["state_get", { scope: "subject", key: "k" }],
        ["set_workspace_storage", stored],
      ],
    });
    expect(answers.map(codeOf)).toEqual([
      ...["unauthorized", "unauthorized", "unauthorized", "invalid_argument", "unauthorized"],
    ]);
  });
});

const SLOW = "import time; time.sleep(1.5)";

/** The codes of calls that a run makes after the grants of its agent were changed. */
async function askDuring(agent: CallerAgent, methods: readonly HostMethod[], changed: object) {
  const wait = ["call_tool", { tool_name: "execute_code", parameters: { language: "python", code: SLOW } }] as const;
  const started = Promise.withResolvers<string>();
  const calls = [wait, ...methods.map((method) => [method, paramsOf(method)] as const)];
  const input = { text: JSON.stringify({ calls }), contents: [PICTURE] };
  const asking = agent.send("", { onStarted: started.resolve }, { ...workspace, input });
  const runId = await started.promise;
  const hasBegun = async () => (await caller.dock.runs.events(runId)).some(({ type }) => type === "runner.started");
  while (!(await hasBegun())) await sleep(20);
  await caller.dock.host.agents.change(agent.name, { grants: changed });
  const sent = await asking;
  if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
  const [, ...answers] = JSON.parse(sent.text).answers as Record<string, unknown>[];
  return methods.map((method, index) => [method, codeOf(answers[index])]);
}

describe("the rights of a run", () => {
  it("are those of its start, whatever becomes of the agent's settings meanwhile", async () => {
    const agent = await caller.addAgent({ grants: grants() });
    const wait = ["call_tool", { tool_name: "execute_code", parameters: { language: "python", code: SLOW } }] as const;
    const started = Promise.withResolvers<string>();
    const asking = agent.ask(
      { calls: [wait, ["history_page"], ["get_tool_detail", { tool_name: "session_exec" }]] },
      { onStarted: started.resolve },
    );
    await started.promise;
    await sleep(300);
    await caller.dock.host.agents.change(agent.name, { grants: { ...NO_GRANTS, tools: ["session_exec"] } });
    expect((await asking).answers.map(codeOf)).toEqual(["ok", "ok", "unauthorized"]);
    const later = await agent.ask({ calls: [["history_page"], ["get_tool_detail", { tool_name: "session_exec" }]] });
    expect(later.answers.map(codeOf)).toEqual(["unauthorized", "ok"]);
  });

  it("cover each call that was granted then, when all of them are withdrawn", async () => {
    const methods = METHODS.filter((method) => TABLE[method].gives);
    const agent = await caller.addAgent({ grants: grants() });
    const codes = await askDuring(agent, methods, { ...NO_GRANTS, models: [], tools: [] });
    expect(codes).toEqual(methods.map((method) => [method, "ok"]));
  });

  it("cover no call that is granted only when the run has begun", async () => {
    const methods = METHODS.filter((method) => TABLE[method].gives && !TABLE[method].needsNothing);
    const agent = await caller.addAgent({ grants: { ...NO_GRANTS, tools: ["execute_code"] } });
    const codes = await askDuring(agent, methods, {
      ...{ models: [model], history: true, events: true, artifacts: true, pluginStorage: true, workspaceStorage: true },
      stateScopes: ["conversation"],
    });
    const isOpen = (method: HostMethod) => ["get_tool_detail", "call_tool", "steering_pull"].includes(method);
    expect(codes).toEqual(methods.map((method) => [method, isOpen(method) ? "ok" : "unauthorized"]));
  });

  it("do not suffer from another run that makes a thousand calls at once", async () => {
    const [loud, calm] = [await caller.addAgent({ grants: grants() }), await caller.addAgent({ grants: grants() })];
    const flood = loud.ask({ atOnce: Array(1000).fill(["get_host_version"]) });
    const { answers } = await calm.ask({ calls: Array(20).fill(["history_page"]) });
    expect(answers.map(codeOf)).toEqual(Array(20).fill("ok"));
    const { codes } = await flood;
    expect(new Set(codes)).toEqual(new Set(["ok", "rate_limited"]));
    expect(codes.filter((code) => code === "ok").length).toBeLessThan(900);
  });
});

describe("a summary of the conversation", () => {
  const KEY = { scope: "conversation", key: "runner.compaction.checkpoint" };
  const at = { conversation_id: "long-talk" };
  const save = (agent: CallerAgent, value: object) =>
    agent.ask(
      {
        calls: [
          ["state_set", { ...KEY, value }],
          ["state_get", KEY],
        ],
      },
      {},
      { conversation: at },
    );

  it("is given back where it is valid; else the runner gets none and reads the end of the history", async () => {
    const agent = await caller.addAgent({ grants: grants() });
    const first = await agent.ask({ calls: [["history_page"]] }, {}, { conversation: at });
    const { items } = first.answers[0] as { items: { cursor: string; seq: number }[] };
    const valid = { schema_version: "1", summary: "boats", covers_until: items[0]?.cursor, ...at };
    expect((await save(agent, valid)).answers[1]).toEqual({ value: valid });
    const bySeq = { ...valid, covers_until: items[0]?.seq };
    expect((await save(agent, bySeq)).answers[1]).toEqual({ value: bySeq });
    for (const wrong of [
      { ...valid, conversation_id: "another" },
      { ...valid, covers_until: "forged" },
      // What it covers is not there any more: the conversation was cleared.
      { ...valid, covers_until: 1_000_000 },
      { summary: "boats" },
    ])
      expect((await save(agent, wrong)).answers[1]).toEqual({ value: null });
  });
});
