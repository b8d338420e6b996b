import { createClient } from "@drydock/client";
import { HOST_LIMITS } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { readEvents } from "../testing/open-test-server.ts";
import { ECHO, ODD, openHostServer, PYTHON_ECHO } from "./testing/open-host-server.ts";

const place = openHostServer();
const open = () => createClient({ baseUrl: place.server.url, token: place.server.token ?? "" });
let conversations = 0;

function toMessage(text: string, conversation_id = `conversation-${conversations++}`) {
  return { type: "message.received", conversation: { conversation_id }, input: { text } };
}

const find = async (conversation_id: string) => {
  const { conversations: found } = await open().host.conversations.list({ conversation_id });
  const [conversation] = found;
  if (!conversation) throw new Error(`there is no conversation ${conversation_id}`);
  return conversation;
};

describe("agents and bindings", () => {
  it("are created, read, changed and removed by the typed client", async () => {
    const { host } = open();
    const made = await host.agents.create({ name: "clerk", runner: ECHO, grants: { models: ["a/b"], history: false } });
    expect(made).toMatchObject({ name: "clerk", timeoutSeconds: 300, grants: { models: ["a/b"], history: false } });
    const changed = await host.agents.change("clerk", { timeoutSeconds: 5, grants: { events: false } });
    expect(changed).toMatchObject({ timeoutSeconds: 5, grants: { models: ["a/b"], history: false, events: false } });
    const binding = await host.bindings.create({ agent: "clerk", scope: "conversation", value: "desk" });
    expect(await host.agents.get("clerk")).toMatchObject({ bindings: [{ id: binding.id }] });
    expect((await host.agents.list()).agents.map(({ name }) => name)).toContain("clerk");
    await expect(host.bindings.create({ agent: "clerk", scope: "conversation", value: "desk" })).rejects.toMatchObject({
      code: "input.invalid",
    });
    expect(await host.events.route(toMessage("hi", "desk"))).toMatchObject({
      agent: "clerk",
      reason: expect.stringContaining("narrower"),
    });
    const rest = { agent: "clerk", event: "message.*", priority: 3 };
    expect(await host.bindings.change(binding.id, rest)).toMatchObject({ id: binding.id, scope: "global", ...rest });
    const other = await host.bindings.create({ agent: "clerk", scope: "actor", value: "ada" });
    await expect(host.bindings.change(other.id, rest)).rejects.toMatchObject({ code: "input.invalid" });
    await expect(host.bindings.change("bnd_none", rest)).rejects.toMatchObject({ code: "agent.not_found" });
    await expect(host.agents.harness("clerk")).rejects.toMatchObject({ code: "input.invalid" });
    await host.bindings.remove(binding.id);
    expect((await host.bindings.list()).bindings.map(({ id }) => id)).not.toContain(binding.id);
    await host.agents.remove("clerk");
    await expect(host.agents.get("clerk")).rejects.toMatchObject({ code: "agent.not_found", data: { status: 404 } });
  });

  it("are told apart by filters; what could take the same event is refused when it is saved", async () => {
    const { host } = open();
    const scope = { agent: "helper", scope: "conversation", value: "filtered" } as const;
    const startsWith = (...values: string[]) => [{ field: "input.text", op: "prefix" as const, values }];
    const bugs = await host.bindings.create({ ...scope, filters: startsWith("/bug") });
    const tickets = await host.bindings.create({ ...scope, agent: "snake", filters: startsWith("/ticket") });
    for (const filters of [
      startsWith("/b"),
      startsWith("/x", "/ticket now"),
      [{ field: "data.x", op: "exists" as const }],
    ])
      await expect(host.bindings.create({ ...scope, filters })).rejects.toMatchObject({
        code: "input.invalid",
        message: expect.stringMatching(/^The binding bnd_\w+ can take the same events/),
      });
    await expect(host.bindings.create(scope)).rejects.toMatchObject({ code: "input.invalid" });
    const rest = await host.bindings.create({ ...scope, priority: -1 });
    const routeOf = async (text: string) => (await host.events.route(toMessage(text, "filtered"))).binding?.id;
    expect([await routeOf("/bug 1"), await routeOf("/ticket 1"), await routeOf("hello")]).toEqual([
      ...[bugs.id, tickets.id, rest.id],
    ]);
    expect(await host.events.route(toMessage("hello", "filtered"))).toMatchObject({
      others: expect.arrayContaining([{ id: bugs.id, reason: expect.stringContaining("does not fit") }]),
    });
    for (const { id } of [bugs, tickets, rest]) await host.bindings.remove(id);
  });

  it.each([
    ["a field that nobody knows", { field: "input.colour", op: "is", values: ["a"] }, /a field is/],
    ["a way out of the data", { field: "data.a.b.c.d.e.f.g.h.i", op: "exists" }, /a field is/],
    ["a test that nobody knows", { field: "input.text", op: "matches", values: [".*"] }, /op/],
    ["no value", { field: "input.text", op: "is" }, /at least one value/],
    ["a value too many", { field: "input.text", op: "exists", values: ["a"] }, /have none/],
  ])("refuse a filter with %s", async (_name, filter, problem) => {
    const { status, text } = await place.call("POST", "/host/bindings", { agent: "helper", filters: [filter] });
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(problem) });
  });

  it("refuse filters that no event can fit", async () => {
    const test = (value: string) => ({ field: "data.kind", op: "is" as const, values: [value] });
    await expect(
      open().host.bindings.create({ agent: "helper", filters: [test("a"), test("b")] }),
    ).rejects.toMatchObject({ code: "input.invalid", message: expect.stringContaining("No event can fit") });
  });

  it("refuse a runner that is not installed, and settings that nobody knows", async () => {
    const { host } = open();
    await expect(host.agents.create({ name: "no", runner: "plugin:a/b/c" })).rejects.toMatchObject({
      code: "runner.unavailable",
    });
    expect(await place.call("PATCH", "/host/agents/helper", { colour: "red" })).toMatchObject({ status: 400 });
    await expect(host.agents.change("helper", { runner: "plugin:a/b/c" })).rejects.toMatchObject({
      code: "runner.unavailable",
    });
  });

  it("show plugins with their problems and processes", async () => {
    const { host } = open();
    const { runners, warnings } = await host.runners.list();
    expect(runners.map(({ id }) => id)).toEqual(expect.arrayContaining([ECHO, PYTHON_ECHO, ODD]));
    expect(warnings.join()).toContain("runner 2 is not valid");
    const { plugins } = await host.plugins.list();
    expect(plugins.find(({ id }) => id === "drydock/echo")).toMatchObject({
      problem: null,
      process: { state: "ready", openRuns: 0 },
    });
    expect(JSON.stringify(plugins)).not.toContain(place.server.dock.home);
    expect(await host.status()).toMatchObject({ agents: expect.any(Number), running: [] });
    const noted = { kind: "fault", source: "test/odd", text: expect.stringContaining("runner 2 is not valid") };
    expect((await host.warnings.list()).warnings).toContainEqual(expect.objectContaining(noted));
    expect((await host.status()).warnings).toContainEqual(expect.objectContaining(noted));
  });
});

describe("events", () => {
  it.each(["helper", "snake"])("reach an agent, whose answer comes whole: %s", async (agent) => {
    const answer = await open().host.agents.send(agent, "Hello there", { conversation: { conversation_id: agent } });
    expect(answer).toMatchObject({ kind: "answered", ok: true, text: "Hello there" });
    const conversation = await find(agent);
    expect(conversation).toMatchObject({ conversationId: agent, events: 1, messages: 2, synthetic: false });
    const { events } = await open().host.events.list({ conversation: conversation.id });
    expect(events).toMatchObject([{ id: answer.eventId, outcome: "run", conversation: conversation.id }]);
    expect(await open().host.events.get(answer.eventId)).toMatchObject({ type: "message.received", outcome: "run" });
  });

  it("stream their answer: what happened to the event, deltas, tool calls, messages, the end", async () => {
    const headers = { accept: "text/event-stream" };
    const { text } = await place.call("POST", "/api/events", toMessage("one two"), headers);
    expect(readEvents(text).map(({ event }) => event)).toEqual([
      ...["event.received", "run.started", "message.delta", "message.delta", "message.completed", "run.ended"],
      "result",
    ]);
    const tools = await place.call("POST", "/host/agents/odd/messages", { text: "tool" }, headers);
    expect(readEvents(tools.text).map(({ event }) => event)).toEqual([
      ...["event.received", "run.started", "tool.call.started", "tool.call.completed", "message.completed"],
      ...["run.ended", "result"],
    ]);
  });

  it("are answered at once where nobody waits, and handled all the same", async () => {
    const event = { ...toMessage("later"), source_event_id: "once-only" };
    const { value } = await place.call("POST", "/api/events?wait=false", event);
    expect(value).toMatchObject({ kind: "accepted", eventId: expect.stringMatching(/^evt_/) });
    await expect.poll(() => open().host.events.get(String(value.eventId))).toMatchObject({ outcome: "run" });
    expect((await place.call("POST", "/api/events", event)).value).toMatchObject({ kind: "duplicate" });
  });

  it("are refused where they are too large, unknown in type or to an agent that does not exist", async () => {
    const large = { ...toMessage("x"), data: { blob: "x".repeat(HOST_LIMITS.eventBytes) } };
    const { status, value } = await place.call("POST", "/api/events", large);
    expect([status, value.error]).toMatchObject([413, { message: expect.stringContaining("bytes") }]);
    await expect(place.server.dock.host.send(large)).rejects.toMatchObject({ code: "input.invalid" });
    expect((await place.call("POST", "/api/events", { type: "Nonsense" })).status).toBe(400);
    const lost = await place.call("POST", "/host/agents/nobody/messages", { text: "hi" });
    expect([lost.status, lost.value.error]).toMatchObject([404, { code: "agent.not_found" }]);
    expect((await place.call("GET", "/api/events/evt_none")).value.error).toMatchObject({ code: "event.not_found" });
  });

  it("that are synthetic leave history and state of the conversation alone, and say so on record", async () => {
    const { host } = open();
    const conversation = { conversation_id: "trial" };
    await host.agents.send("odd", "state", { conversation });
    const trial = await host.agents.send("odd", "state", { conversation, synthetic: true });
    expect(trial).toMatchObject({ text: "count 1, runner unauthorized" });
    expect(await host.agents.send("odd", "state", { conversation })).toMatchObject({
      text: "count 2, runner unauthorized",
    });
    expect(await find("trial")).toMatchObject({ events: 2, messages: 4, synthetic: false });
    const event = await host.events.get(trial.eventId);
    expect(event).toMatchObject({ synthetic: true, event: { synthetic: true } });
    expect(await host.conversations.get(event.conversation ?? "")).toMatchObject({ synthetic: true, events: 1 });
  });

  it("to a runner that was removed end in a failed run that says so", async () => {
    const { dock } = place.server;
    await dock.host.agents.add({ name: "orphan", runner: PYTHON_ECHO });
    await dock.host.agents.bind({ agent: "orphan", scope: "conversation", value: "orphan" });
    const { directory } = await dock.host.plugins.remove("drydock/echo-python");
    const { value } = await place.call("POST", "/api/events", toMessage("anybody?", "orphan"));
    expect(value).toMatchObject({ ok: false, error: { code: "runner.unavailable" } });
    expect(directory).not.toBe("");
    expect(await dock.runs.get(String(value.runId))).toMatchObject({ status: "failed" });
  });
});

describe("conversations", () => {
  it("are paged by opaque cursors, forward and backward, each message once", async () => {
    const { host } = open();
    await host.events.send(toMessage("elsewhere", "other"));
    for (const text of ["a", "b", "c"]) await host.events.send(toMessage(text, "paged"));
    const { id } = await find("paged");
    for (const direction of ["forward", "backward"] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await host.conversations.messages(id, { direction, limit: 2, cursor });
        seen.push(...page.messages.map(({ role, text }) => `${role[0]}${text}`));
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
      const all = ["ua", "aa", "ub", "ab", "uc", "ac"];
      expect(seen).toEqual(direction === "forward" ? all : all.toReversed());
    }
    const { cursor } = await host.conversations.messages(id, { limit: 1 });
    const other = await find("other");
    await expect(host.conversations.messages(other.id, { cursor: cursor ?? "" })).rejects.toMatchObject({
      code: "input.invalid",
    });
    const first = await host.conversations.list({ limit: 1 });
    const second = await host.conversations.list({ limit: 1, cursor: first.cursor ?? "" });
    expect(first.conversations[0]).toMatchObject({ conversationId: "paged" });
    expect(second.conversations[0]?.id).not.toBe(id);
  });

  it("are deleted while a run is under way: it is cancelled first, and nothing comes back", async () => {
    const { host } = open();
    const started = Promise.withResolvers<void>();
    const conversation = { conversation_id: "doomed" };
    await host.agents.send("odd", "state", { conversation });
    const running = host.agents.send(
      "odd",
      "slow",
      { conversation },
      { onEvent: ({ event }) => event === "message.delta" && started.resolve() },
    );
    await started.promise;
    const { id } = await find("doomed");
    expect(await host.conversations.delete(id)).toMatchObject({ id, events: 2 });
    const answer = await running;
    expect(answer).toMatchObject({ kind: "answered", ok: false, error: { code: "run.cancelled" } });
    await expect(host.conversations.get(id)).rejects.toMatchObject({ code: "conversation.not_found" });
    expect(await host.events.get(answer.eventId)).toMatchObject({
      conversation: null,
      event: { type: "message.received" },
    });
    expect(JSON.stringify(await host.events.get(answer.eventId))).not.toContain("slow");
    const again = await host.agents.send("odd", "state", { conversation });
    expect(again).toMatchObject({ text: "count 1, runner unauthorized" });
    expect(await place.server.dock.audit.verify()).toMatchObject({ ok: true });
  });

  it("have a feed that is followed from a cursor on, and says where it no longer reaches", async () => {
    const { host } = open();
    await host.events.send(toMessage("one two", "fed"));
    const { id } = await find("fed");
    const { events } = await host.conversations.feed(id);
    expect(events.map(({ type }) => type)).toEqual([
      ...["event.received", "run.started", "message.delta", "message.delta", "message.completed", "run.ended"],
    ]);
    const later = await host.conversations.feed(id, { after: events[3]?.cursor });
    expect(later.events.map(({ type }) => type)).toEqual(["message.completed", "run.ended"]);
    const lost = await host.conversations.feed(id, { after: "000000000000-9" });
    expect(lost.events[0]?.type).toBe("feed.reset");
    expect(lost.events).toHaveLength(events.length + 1);
  });
});

describe("tokens", () => {
  it("need the scope of each operation", async () => {
    const { createHttpToken } = await import("../../../app/index.ts").then(({ loadHttpTokens }) => loadHttpTokens());
    const { home } = place.server.dock;
    const tokens: Record<string, string> = {};
    for (const scope of ["read", "run"] as const)
      tokens[scope] = (await createHttpToken(home, { name: scope, scope })).token;
    const as = async (scope: string, method: string, path: string, body?: unknown) =>
      (await place.call(method, path, body, { authorization: `Bearer ${tokens[scope]}` })).status;
    expect(await as("read", "GET", "/host/agents")).toBe(200);
    expect(await as("read", "POST", "/api/events", toMessage("hi"))).toBe(403);
    expect(await as("read", "POST", "/api/events/dry-run", toMessage("hi"))).toBe(403);
    expect(await as("run", "POST", "/api/events/dry-run", toMessage("hi"))).toBe(200);
    expect(await as("run", "POST", "/api/events", toMessage("hi"))).toBe(200);
    expect(await as("run", "POST", "/host/agents", { name: "x", runner: ECHO })).toBe(403);
    expect(await as("run", "DELETE", "/host/agents/helper")).toBe(403);
    expect(await as("run", "DELETE", `/host/conversations/cnv_${"0".repeat(64)}`)).toBe(403);
    expect((await place.call("GET", "/host/agents", undefined, { authorization: "" })).status).toBe(401);
  });
});
