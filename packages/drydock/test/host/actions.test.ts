import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "./testing/open-caller.ts";

let caller: Caller;
let agent: CallerAgent;
let opened: string[] = [];
const ACTIONS = ["door.*", "message.send", "nobody.knows"];

beforeAll(async () => {
  caller = await openCaller();
  const { actions } = caller.dock.host;
  const schema = { type: "object", properties: { door: { type: "string" } }, required: ["door"] };
  actions.register("door.open", {
    payload: schema,
    run: async ({ payload }) => {
      opened.push(String(payload?.door));
      return `opened ${payload?.door}`;
    },
  });
  actions.register("door.knock", { risk: "low", run: async ({ agent: who }) => `${who} knocked` });
  actions.register("door.break", {
    risk: "low",
    run: async () => {
      throw new Error("too strong");
    },
  });
  actions.register("door.wait", { risk: "low", timeoutSeconds: 0.1, run: () => new Promise(() => {}) });
  agent = await caller.addAgent({ grants: { actions: ACTIONS } });
});
beforeEach(() => {
  opened = [];
});
afterAll(() => caller.close());

const asking = (action: string, payload: object = {}, target?: object) => ({
  results: [["action.requested", { action, payload, target }]] as const,
});
const request = async (
  action: string,
  payload?: object,
  options: { target?: object; who?: CallerAgent; event?: object } = {},
) => {
  const { target, who = agent, event } = options;
  const sent = await who.send(asking(action, payload, target), {}, event);
  if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
  const settled = (await caller.dock.runs.events(sent.runId)).find(({ type }) => type === "action.settled")?.data;
  return { ...sent, settled: settled as Record<string, string> };
};
const approvals = () => caller.dock.extensions.approvals;
const pending = () => approvals().list({ status: "pending" });

describe("an action that nobody has to approve", () => {
  it("is done by its executor, as a run below the runner's", async () => {
    const { settled, warnings, runId } = await request("door.knock");
    expect(settled).toMatchObject({ status: "done", message: `${agent.name} knocked` });
    expect(warnings).toEqual([]);
    expect(await caller.dock.runs.get(settled.actionRunId ?? "")).toMatchObject({
      kind: "capability",
      status: "succeeded",
    });
    const [created] = await caller.dock.runs.events(settled.actionRunId ?? "");
    expect(created?.data.parentRunId).toBe(runId);
  });

  it.each([
    ["door.break", {}, "failed", "too strong"],
    ["door.wait", {}, "failed", "took too long"],
    ["nobody.knows", {}, "refused", "nothing is registered"],
    ["window.open", {}, "refused", "does not grant"],
    ["door.open", { window: 1 }, "refused", "lacks door"],
  ])("is recorded and warned about where it is not done: %s", async (action, payload, status, message) => {
    const { settled, warnings, ok } = await request(action, payload);
    expect(settled).toMatchObject({ status, message: expect.stringContaining(message) });
    expect(warnings).toEqual([expect.stringContaining(message)]);
    expect(ok).toBe(true);
    expect(opened).toEqual([]);
  });

  it("of another agent that does not grant it is refused", async () => {
    const who = await caller.addAgent({});
    expect((await request("door.knock", {}, { who })).settled).toMatchObject({ status: "refused" });
  });
});

describe("sending a message", () => {
  it("goes to the conversation of the event, and to its surface where it names a target", async () => {
    const sent: unknown[] = [];
    caller.dock.host.surfaces.register("pager", async ({ target, text }) => void sent.push([target, text]));
    const delivery = { surface: "pager", reply_target: { number: 7 } };
    const { settled } = await request("message.send", { text: "on my way" }, { event: { delivery } });
    expect(settled).toMatchObject({ status: "done" });
    expect(sent).toContainEqual([{ number: 7 }, "on my way"]);
  });

  it("goes nowhere else", async () => {
    const elsewhere = { target: { conversation_id: "another" } };
    expect((await request("message.send", { text: "psst" }, elsewhere)).settled).toMatchObject({ status: "failed" });
    const delivery = { surface: "unknown", reply_target: { number: 7 } };
    expect((await request("message.send", { text: "psst" }, { event: { delivery } })).settled).toMatchObject({
      status: "failed",
      message: expect.stringContaining("unknown"),
    });
  });
});

describe("an action that somebody has to approve", () => {
  it("waits without holding up its run, and is done once; several wait at the same time", async () => {
    const [first, second] = [await request("door.open", { door: "a" }), await request("door.open", { door: "b" })];
    expect([first.ok, first.settled.status, second.settled.status]).toEqual([true, "waiting", "waiting"]);
    const waiting = await pending();
    expect(waiting.map(({ extension, action, requestedBy }) => [extension, action, requestedBy])).toEqual([
      ["host", "door.open", agent.name],
      ["host", "door.open", agent.name],
    ]);
    const ofFirst = waiting.find(({ runId }) => runId === first.settled.actionRunId);
    expect(ofFirst?.summary).toContain('{"door":"a"}');
    expect(opened).toEqual([]);
    const outcome = await approvals().approve(ofFirst?.id ?? "", { by: "ann", reason: "she has a key" });
    expect(outcome).toMatchObject({ type: "capability_result", output: "opened a" });
    await expect(approvals().approve(ofFirst?.id ?? "")).rejects.toThrow(/approved by ann/);
    expect(opened).toEqual(["a"]);
    const [other] = await pending();
    await approvals().deny(other?.id ?? "", { by: "bob", reason: "not at night" });
    expect(opened).toEqual(["a"]);
    expect(await caller.dock.runs.get(second.settled.actionRunId ?? "")).toMatchObject({
      status: "failed",
      errorCode: "policy.approval_denied",
    });
    const types = (await caller.dock.runs.events(first.settled.actionRunId ?? "")).map(({ type }) => type);
    expect(types).toEqual([
      ...["run.created", "approval.requested", "run.paused", "approval.decided", "run.resumed", "run.succeeded"],
    ]);
  });

  it("two decisions at once: it is done once", async () => {
    await request("door.open", { door: "c" });
    const [waiting] = await pending();
    const both = [approvals().approve(waiting?.id ?? ""), approvals().approve(waiting?.id ?? "")];
    const ended = await Promise.allSettled(both);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(opened).toEqual(["c"]);
  });

  it("expires, and can't be approved afterwards", async () => {
    const hasty = await caller.addAgent({ grants: { actions: ACTIONS }, approvalSeconds: 0.05 });
    await request("door.open", { door: "d" }, { who: hasty });
    const id = (await caller.dock.extensions.approvals.list({}))[0]?.id ?? "";
    await sleep(60);
    await expect(approvals().approve(id)).rejects.toThrow(/drydock already|expired/);
    expect(await approvals().get(id)).toMatchObject({ status: "denied", decidedBy: "drydock" });
    expect(await pending()).toEqual([]);
    expect(opened).toEqual([]);
  });

  it("survives the death of the process, and is done once by the one that approves", async () => {
    const script = join(import.meta.dirname, "testing/ask-and-wait-child.ts");
    const text = JSON.stringify(asking("door.open", { door: "e" }));
    const options = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning", script];
    const child = spawn(process.execPath, [...options, caller.home, agent.name, text], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const [waiting] = await pending();
    expect(waiting).toMatchObject({ action: "door.open", status: "pending" });
    expect(await approvals().approve(waiting?.id ?? "")).toMatchObject({ output: "opened e" });
    await expect(approvals().approve(waiting?.id ?? "")).rejects.toThrow(/approved/);
    expect(opened).toEqual(["e"]);
  });

  it("can't be approved where nothing is registered for it, and goes on waiting", async () => {
    await request("door.open", { door: "f" });
    const other = await openCaller({ home: caller.home, plugins: [] });
    const [waiting] = await other.dock.extensions.approvals.list({ status: "pending" });
    await expect(other.dock.extensions.approvals.approve(waiting?.id ?? "")).rejects.toThrow(/nothing is registered/);
    expect(await other.dock.extensions.approvals.get(waiting?.id ?? "")).toMatchObject({ status: "pending" });
    await other.close();
    await caller.dock.runs.cancel(waiting?.runId ?? "");
    expect(await approvals().get(waiting?.id ?? "")).toMatchObject({ status: "cancelled" });
  });
});

it("the record of all of it holds", async () => {
  expect(await caller.dock.audit.verify()).toMatchObject({ ok: true });
});

describe("an answer", () => {
  const pages: [unknown, string][] = [];
  const answering = (text: string) => ({ results: [["message.completed", { message: { content: text } }]] as const });
  const textsTo = (target: object) =>
    pages.filter(([to]) => JSON.stringify(to) === JSON.stringify(target)).map(([, text]) => text);

  beforeAll(() => {
    caller.dock.host.surfaces.register("board", async ({ target, text }) => {
      if (text === "broken") throw new Error("the board fell down");
      pages.push([target, text]);
    });
  });

  it("goes to the event's target in parts that fit, else to the agent's own, and not at all where none is wanted", async () => {
    const at = { target: { board: 1 } };
    const delivery = { surface: "board", reply_target: at.target, max_message_size: 4 };
    const sent = await agent.send(answering("abcdefghij"), {}, { delivery });
    expect(textsTo(at.target).slice(0, 3)).toEqual(["abcd", "efgh", "ij"]);
    expect(sent).toMatchObject({ ok: true });
    const fallback = { surface: "board", target: { board: 2 } };
    const other = await caller.addAgent({ delivery: { fallback } });
    await caller.dock.host.agents.bind({ agent: other.name, scope: "bot", value: other.name, event: "schedule.fired" });
    await other.send(answering("by default"), {}, { type: "schedule.fired" });
    expect(textsTo(fallback.target)[0]).toBe("by default");
    const silent = await caller.addAgent({
      delivery: { reply: false, fallback: { ...fallback, target: { board: 3 } } },
    });
    expect(await silent.send(answering("nobody hears"))).toMatchObject({ ok: true, text: "" });
    expect(textsTo({ board: 3 })).toEqual([]);
  });

  it("that can't be delivered is a warning, and the run goes on", async () => {
    for (const [surface, why] of [
      ["board", "fell down"],
      ["nowhere", "Nothing delivers"],
    ] as const) {
      const sent = await agent.send(answering("broken"), {}, { delivery: { surface, reply_target: { board: 4 } } });
      expect(sent).toMatchObject({ ok: true, warnings: expect.arrayContaining([expect.stringContaining(why)]) });
    }
  });

  it("is streamed only where the surface can", async () => {
    const deltas: string[] = [];
    const message = { results: [["message.delta", { chunk: { content: "piece" } }]] as const };
    const onDelta = (text: string) => deltas.push(text);
    await agent.send(message, { onDelta }, { delivery: { surface: "plain", supports_streaming: false } });
    expect(deltas).toEqual([]);
    await agent.send(message, { onDelta }, { delivery: { surface: "plain", supports_streaming: true } });
    expect(deltas).toEqual(["piece"]);
  });

  it("to a message with a picture is given with the picture as an artifact, and no base64 is on record", async () => {
    const base64 = Buffer.from("a picture of a key").toString("base64");
    const contents = [{ type: "image_url" as const, image_url: { url: `data:image/png;base64,${base64}` } }];
    const text = JSON.stringify(answering("seen"));
    const sent = await agent.send("", {}, { input: { text, contents } });
    if (sent.kind !== "answered") throw new Error();
    expect(await caller.dock.runs.artifacts(sent.runId)).toMatchObject([{ mime: "image/png" }]);
    const events = JSON.stringify(await caller.dock.runs.events(sent.runId));
    expect(events).not.toContain(base64);
    expect(events).toContain("content_redacted");
  });

  it("that carries a picture leaves no base64 in events and history", async () => {
    const base64 = Buffer.from("a picture of a door").toString("base64");
    const content = [{ type: "image_url", image_url: { url: `data:image/png;base64,${base64}` } }];
    const sent = await agent.send({ results: [["message.completed", { message: { content } }]] });
    if (sent.kind !== "answered") throw new Error();
    const [, ...later] = await caller.dock.runs.events(sent.runId);
    const own = later.filter(({ type }) => type !== "runner.started");
    expect(JSON.stringify(own)).not.toContain(base64);
    expect(JSON.stringify(sent.messages[0])).toContain("artifact_id");
    expect(await caller.dock.runs.artifacts(sent.runId)).toMatchObject([{ mime: "image/png" }]);
  });
});
