import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const RUNNER = "plugin:test/odd/default";
const home = mkdtempSync(join(tmpdir(), "drydock-host-"));
let dock: Dock;
let conversations = 0;

beforeAll(async () => {
  dock = await createDock({ home, warm: 1 });
  await dock.host.plugins.add(join(import.meta.dirname, "plugins/odd"));
  await dock.host.agents.add({ name: "odd", runner: RUNNER });
  await dock.host.agents.bind({ agent: "odd" });
});

afterAll(async () => {
  await dock.close();
  rmSync(home, { recursive: true, force: true });
});

const newConversation = () => `conversation-${conversations++}`;

function say(text: string, conversation = newConversation(), options: Parameters<Dock["host"]["send"]>[1] = {}) {
  const event = {
    type: "message.received",
    conversation: { conversation_id: conversation },
    actor: { actor_type: "user", actor_id: "ann" },
    input: { text },
  };
  return dock.host.send(event, options);
}

const typesOf = async (runId: string) => (await dock.runs.events(runId)).map(({ type }) => type);

describe("one event, one run", () => {
  it("is answered, delivered and recorded", async () => {
    const result = await say("hello");
    expect(result).toMatchObject({ kind: "answered", ok: true, text: "You said: hello", warnings: [], error: null });
    if (result.kind !== "answered") throw new Error();
    expect(await dock.runs.get(result.runId)).toMatchObject({ kind: "runner", status: "succeeded" });
    expect(await typesOf(result.runId)).toEqual(["run.created", "runner.started", "message.sent", "run.succeeded"]);
  });

  it.each([
    ["stream", { ok: true, text: "one two three" }],
    ["deltas", { ok: true, text: "abc" }],
    ["twice", { ok: true, text: "once" }],
    ["unknown", { ok: true, text: "known" }],
    ["sequence", { ok: true, text: "abc" }],
    ["artifact", { ok: true, text: "state null" }],
    ["silent", { ok: false, error: { code: "runner.no_output" } }],
    ["foreign", { ok: false, error: { code: "runner.protocol" } }],
    ["typeless", { ok: false, error: { code: "runner.protocol" } }],
    ["base64", { ok: false, error: { code: "runner.protocol" } }],
    ["fail", { ok: false, error: { code: "runner.failed", runnerCode: "odd.config_invalid", retryable: true } }],
  ])("ends once, as it should: %s", async (text, expected) => {
    const result = await say(text);
    expect(result).toMatchObject({ kind: "answered", ...expected });
    if (result.kind !== "answered") throw new Error();
    const ends = (await typesOf(result.runId)).filter((type) => /^run\.(succeeded|failed|cancelled|lost)$/.test(type));
    expect(ends).toHaveLength(1);
    // Of many runs, the hint names the one it is about.
    if (text === "silent") expect(result.error?.hint).toContain(`drydock runs events ${result.runId}`);
  });

  it.each([
    ["nonsense", "not a JSON-RPC message"],
    ["long", "line of more than"],
    ["crash", "odd"],
  ])("a process that breaks costs its own runs, and the next run works: %s", async (text, reason) => {
    const result = await say(text);
    expect(result).toMatchObject({ kind: "answered", ok: false, error: { code: "runner.channel_lost" } });
    expect(JSON.stringify(result)).toContain(reason);
    await expect
      .poll(async () => (await say("again")).kind === "answered" && (await say("again")), { timeout: 30_000 })
      .toMatchObject({
        text: "You said: again",
      });
  });

  it("is cancelled where the runner does not answer", async () => {
    const stop = new AbortController();
    const result = await say("hang", newConversation(), { signal: stop.signal, onStarted: () => stop.abort() });
    expect(result).toMatchObject({ kind: "answered", ok: false, error: { code: "run.cancelled" } });
    await expect.poll(() => say("again"), { timeout: 30_000 }).toMatchObject({ text: "You said: again" });
  });

  it("ends at its deadline", async () => {
    await dock.host.agents.add({ name: "hurried", runner: RUNNER, timeoutSeconds: 0.5 });
    await dock.host.agents.bind({ agent: "hurried", scope: "conversation", value: "hurry" });
    expect(await say("hang", "hurry")).toMatchObject({ ok: false, error: { code: "runner.timeout", retryable: true } });
  });

  it("that comes twice is handled once", async () => {
    const event = {
      type: "message.received",
      source_event_id: "42",
      conversation: { conversation_id: "twice" },
      input: { text: "x" },
    };
    const first = await dock.host.send(event);
    const second = await dock.host.send(event);
    expect(second).toMatchObject({ kind: "duplicate", runId: first.kind === "answered" ? first.runId : "none" });
  });
});

describe("calls of a runner", () => {
  it("keep state for the conversation, and only there", async () => {
    const conversation = newConversation();
    expect(await say("state", conversation)).toMatchObject({ text: "count 1, runner unauthorized" });
    expect(await say("state", conversation)).toMatchObject({ text: "count 2, runner unauthorized" });
    expect(await say("state")).toMatchObject({ text: "count 1, runner unauthorized" });
  });

  it("read the history of their own conversation", async () => {
    const conversation = newConversation();
    await say("first", conversation);
    const { text } = (await say("history", conversation)) as { text: string };
    expect(text.split("\n")).toEqual(["user: history", "assistant: You said: first", "user: first"]);
  });

  it("are refused where the run was not granted them", async () => {
    const { text } = (await say("forbidden")) as { text: string };
    expect(text).toBe(
      "unauthorized unauthorized unauthorized unauthorized unauthorized invalid_argument invalid_argument unauthorized invalid_argument",
    );
  });

  it("are bounded in number", async () => {
    expect(await say("thousand")).toMatchObject({ text: "true true" });
  });
});

it("a message during a run reaches that run, and its sender is told", async () => {
  const conversation = newConversation();
  const started = Promise.withResolvers<string>();
  const running = say("steer", conversation, { onStarted: started.resolve });
  const runId = await started.promise;
  await expect.poll(() => typesOf(runId), { timeout: 30_000 }).toContain("runner.started");
  expect(await say("to the left", conversation)).toMatchObject({ kind: "absorbed", runId });
  expect(await running).toMatchObject({ ok: true, text: "steered: to the left" });
  expect(await typesOf(runId)).toEqual(expect.arrayContaining(["steering.queued", "steering.injected"]));
});

it("a picture that comes during a run is not lost: a run of its own gets it", async () => {
  const conversation = newConversation();
  const started = Promise.withResolvers<string>();
  const running = say("steer", conversation, { onStarted: started.resolve });
  const runId = await started.promise;
  await expect.poll(() => typesOf(runId), { timeout: 30_000 }).toContain("runner.started");
  const queued = Promise.withResolvers<void>();
  const picture = { type: "image_url" as const, image_url: { url: "data:image/png;base64,aGVsbG8=" } };
  const sent = dock.host.send(
    {
      type: "message.received",
      conversation: { conversation_id: conversation },
      input: { text: "look", contents: [picture] },
    },
    { onStep: ({ type }) => (type === "event.queued" || type === "event.absorbed") && queued.resolve() },
  );
  await queued.promise;
  await say("to the left", conversation);
  expect(await running).toMatchObject({ text: "steered: to the left" });
  const answered = await sent;
  if (answered.kind !== "answered") throw new Error(answered.kind);
  expect(await dock.runs.artifacts(answered.runId)).toMatchObject([{ name: "attachment-1", mime: "image/png" }]);
});

it("an event that no binding takes is recorded and answered by nobody", async () => {
  expect(await dock.host.send({ type: "member.joined" })).toMatchObject({ kind: "unbound" });
  expect(await dock.host.route({ type: "member.joined" })).toMatchObject({ agent: null });
});

it("two bindings that would both take an event are refused", async () => {
  await expect(dock.host.agents.bind({ agent: "odd" })).rejects.toMatchObject({ code: "input.invalid" });
});

it("one runner that is not valid does not hide the others", async () => {
  const { runners, warnings } = await dock.host.plugins.runners();
  const ids = runners.map(({ manifest }) => manifest.id);
  expect(ids.filter((id) => !id.startsWith("plugin:drydock/"))).toEqual([RUNNER]);
  expect(ids).toContain("plugin:drydock/local-agent/default");
  expect(warnings.join()).toContain("runner 2 is not valid");
});

it("the record of all of it holds", async () => {
  expect(await dock.audit.verify()).toMatchObject({ ok: true });
});
