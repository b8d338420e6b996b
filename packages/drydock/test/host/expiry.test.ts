import { rmSync } from "node:fs";
import { createDock } from "drydock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, openCaller } from "./testing/open-caller.ts";

const WAIT = { timeout: 10_000 };
const asking = (door: string) => ({
  results: [["action.requested", { action: "door.open", payload: { door } }]] as const,
});
let caller: Caller;

beforeAll(async () => {
  caller = await openCaller();
  caller.dock.host.actions.register("door.open", { run: async () => "opened" });
});
afterAll(async () => {
  await caller.close();
});

const addAgent = (approvalSeconds: number) => caller.addAgent({ grants: { actions: ["door.open"] }, approvalSeconds });
const eventsOf = (runId: string, dock = caller.dock) => dock.runs.events(runId);
const settledOf = async (runId: string) =>
  (await eventsOf(runId)).filter(({ type }) => type === "action.settled").map(({ data }) => data);
async function waitFor(approvalSeconds: number, door: string): Promise<string> {
  const sent = await (await addAgent(approvalSeconds)).send(asking(door));
  if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
  const [settled] = await settledOf(sent.runId);
  expect(settled).toMatchObject({ status: "waiting" });
  return String(settled?.actionRunId);
}

describe("an action that nobody decides on", () => {
  it("ends by itself when its time is over, each in its own time; nobody has to look", async () => {
    const [later, soon, never] = [await waitFor(1.2, "a"), await waitFor(0.3, "b"), await waitFor(3600, "c")];
    const statusOf = async (runId: string) => (await caller.dock.runs.get(runId))?.status;
    await expect.poll(() => statusOf(soon), WAIT).toBe("failed");
    await expect.poll(() => statusOf(later), WAIT).toBe("failed");
    expect(await statusOf(never)).toBe("paused");
    const decided = (await eventsOf(soon)).find(({ type }) => type === "approval.decided");
    expect(decided?.data).toMatchObject({ approved: false, by: "drydock", reason: "nobody decided in time" });
    expect(await caller.dock.runs.get(later)).toMatchObject({ errorCode: "policy.approval_denied" });
    await caller.dock.runs.cancel(never);
  });

  it("is told to the run that asked for it, where that still runs", async () => {
    const agent = await addAgent(0.3);
    const where = { conversation: { conversation_id: "open", bot_id: agent.bot } };
    const started = Promise.withResolvers<string>();
    const running = agent.send({ ...asking("d"), pull: true }, { onStarted: started.resolve }, where);
    const runId = await started.promise;
    await expect
      .poll(async () => (await settledOf(runId)).map(({ status }) => status), WAIT)
      .toEqual([...["waiting", "refused"]]);
    expect(await agent.send("go on", {}, where)).toMatchObject({ kind: "absorbed", runId });
    expect(await running).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining("waits for"), expect.stringContaining("nobody decided in time")],
    });
  });

  it("that a person denies or approves while its run still runs is told to that run as well", async () => {
    const agent = await addAgent(3600);
    for (const [verb, status] of [
      ["deny", "refused"],
      ["approve", "done"],
    ] as const) {
      const where = { conversation: { conversation_id: verb, bot_id: agent.bot } };
      const started = Promise.withResolvers<string>();
      const running = agent.send({ ...asking("e"), pull: true }, { onStarted: started.resolve }, where);
      const runId = await started.promise;
      const { approvals } = caller.dock.extensions;
      await expect.poll(async () => (await approvals.list({ status: "pending" })).length, WAIT).toBe(1);
      const [pending] = await approvals.list({ status: "pending" });
      await approvals[verb](pending?.id ?? "", { by: "ann" });
      expect((await settledOf(runId)).map((each) => each.status)).toEqual(["waiting", status]);
      await agent.send("go on", {}, where);
      expect(await running).toMatchObject({ ok: true });
    }
  });
});

it("an action whose time ended after its process is ended by the next one, without a question to it", async () => {
  const first = await openCaller();
  const { home } = first;
  first.dock.host.actions.register("door.open", { run: async () => "opened" });
  const agent = await first.addAgent({ grants: { actions: ["door.open"] }, approvalSeconds: 1 });
  const sent = await agent.send(asking("f"));
  if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
  await first.dock.close();
  const next = await createDock({ home, warm: 1 });
  const settled = (await eventsOf(sent.runId, next)).find(({ type }) => type === "action.settled");
  const runId = String(settled?.data.actionRunId);
  expect(await next.runs.get(runId)).toMatchObject({ status: "paused" });
  await expect.poll(async () => (await next.runs.get(runId))?.status, WAIT).toBe("failed");
  expect(await next.audit.verify()).toMatchObject({ ok: true });
  await next.close();
  rmSync(home, { recursive: true, force: true });
});

it("so many actions of a run and of an agent wait at once, and more are refused", async () => {
  const [agent, other] = [await addAgent(3600), await addAgent(3600)];
  const ask = async (who: typeof agent) => {
    const [one] = asking("many").results;
    const sent = await who.send({ results: Array.from({ length: 21 }, () => one) });
    if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
    const settled = await settledOf(sent.runId);
    return { waiting: settled.filter(({ status }) => status === "waiting").length, last: settled.at(-1) };
  };
  const refused = (message: string) => ({ status: "refused", message, actionRunId: null });
  for (let runs = 0; runs < 5; runs++)
    expect(await ask(agent)).toMatchObject({
      waiting: 20,
      last: refused("20 actions of this run wait for an approval already"),
    });
  expect(await ask(agent)).toMatchObject({
    waiting: 0,
    last: refused("100 actions of this agent wait for an approval already"),
  });
  expect(await ask(other)).toMatchObject({ waiting: 20 });
});
