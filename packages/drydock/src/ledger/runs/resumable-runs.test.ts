import { expect, it } from "vitest";
import { type Owner, readOwner } from "../owner.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";

const GONE: Owner = { ...readOwner(), startTime: "1" };
const goal = { kind: "goal", title: "mend it", data: {} } as const;

it("a goal whose process is gone is interrupted, not lost, and can be taken up again", async () => {
  await using t = await openTestLedger({ owner: GONE });
  const { id } = await t.ledger.createRun(goal);
  await t.ledger.append(id, [{ type: "task.started", data: { key: "a" } }]);
  const here = await openAt(t.home);
  expect(await here.recover()).toEqual([id]);
  expect((await here.getRun(id))?.status).toBe("interrupted");
  expect((await here.verify()).ok).toBe(true);
  await here.resume(id);
  expect((await here.getRun(id))?.status).toBe("running");
  await here.append(id, [{ type: "task.done", data: { key: "a" } }]);
  await here.finish(id, { type: "run.succeeded", data: { verdict: "passed", treeHash: "t" } });
  expect((await here.events(id)).map((event) => event.type)).toEqual([
    "run.created",
    "task.started",
    "run.interrupted",
    "run.resumed",
    "task.done",
    "run.succeeded",
  ]);
  expect((await here.verify()).ok).toBe(true);
  await here.close();
});

it("a process that was taken for dead can't go on writing to a run that another one holds", async () => {
  await using t = await openTestLedger({ owner: GONE });
  const { id } = await t.ledger.createRun(goal);
  const here = await openAt(t.home);
  await here.resume(id);
  await expect(t.ledger.append(id, [{ type: "task.done", data: {} }])).rejects.toMatchObject({ code: "input.invalid" });
  await expect(t.ledger.finish(id, { type: "run.failed", data: {} })).rejects.toMatchObject({ code: "input.invalid" });
  await here.close();
});

it("a run under way can't be resumed by somebody else, nor one that has ended", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun(goal);
  await expect(t.ledger.resume(id)).rejects.toThrow(/is still running in process/);
  await t.ledger.finish(id, { type: "run.cancelled", data: {} });
  await expect(t.ledger.resume(id)).rejects.toThrow(/has ended/);
});

it("a paused run takes nothing but its resumption or its end", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun(goal);
  await t.ledger.pause(id, { reason: "asked" });
  await expect(t.ledger.append(id, [{ type: "task.done", data: {} }])).rejects.toThrow(/is paused/);
  expect((await t.ledger.verify()).ok).toBe(true);
  await t.ledger.finish(id, { type: "run.cancelled", data: {} });
  expect((await t.ledger.getRun(id))?.status).toBe("cancelled");
});

it("audit finds a status or an owner that the events do not say", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun(goal);
  await t.ledger.pause(id, {});
  t.tamper("update runs set status = 'interrupted' where id = ?", id);
  expect((await t.ledger.verify()).first?.problem).toMatch(/column status/);
  t.tamper("update runs set status = 'paused', owner_pid = 1 where id = ?", id);
  expect((await t.ledger.verify()).first?.problem).toMatch(/column owner_pid/);
});

it("requests reach the process that holds the run, once, in order", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun(goal);
  expect(await t.ledger.requests.take(id)).toEqual([]);
  await t.ledger.requests.send(id, "retry", { task: "a" });
  await t.ledger.requests.send(id, "pause");
  expect(await t.ledger.requests.take(id)).toMatchObject([{ kind: "retry", data: { task: "a" } }, { kind: "pause" }]);
  expect(await t.ledger.requests.take(id)).toEqual([]);
  await expect(t.ledger.requests.send("run_none", "pause")).rejects.toMatchObject({ code: "run.not_found" });
});

it("a backlog keeps tasks of each workspace apart, and refuses an id that is still open", async () => {
  await using t = await openTestLedger();
  const task = { id: "a", title: "", instructions: "", dependsOn: [], scope: ["**"], attempts: 3 };
  const checks = [{ type: "file_exists" as const, path: "x" }];
  await t.ledger.backlog.add("/w", { ...task, checks });
  await t.ledger.backlog.add("/v", { ...task, checks });
  await expect(t.ledger.backlog.add("/w", { ...task, checks })).rejects.toThrow(/already/);
  const [seen] = await t.ledger.backlog.list("/w");
  expect(await t.ledger.backlog.move(seen ? [seen] : [], "done", "run_1")).toBe("moved");
  expect(await t.ledger.backlog.move(seen ? [seen] : [], "doing", "run_2")).toMatchObject({ runId: "run_1" });
  expect(await t.ledger.backlog.list("/w")).toMatchObject([{ status: "done", runId: "run_1" }]);
  expect(await t.ledger.backlog.list()).toHaveLength(2);
});
