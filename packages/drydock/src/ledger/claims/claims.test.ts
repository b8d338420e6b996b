import { expect, it } from "vitest";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";
import type { Sql } from "./claim-store.ts";

const work = { kind: "exec" as const, title: "print(1)", data: {} };
const nothing = async () => {};
const yes = async () => true;
const claimLost = { code: "input.invalid", data: { reason: "claim" } };

it("a run that waits for a worker is queued, is claimed once, and ends by its claim", async () => {
  await using t = await openTestLedger();
  const { ledger } = t;
  const { id } = await ledger.claims.queueRun(work, { priority: 1 }, nothing);
  expect((await ledger.getRun(id))?.status).toBe("queued");
  await expect(ledger.append(id, [{ type: "run.started", data: {} }])).rejects.toMatchObject({ code: "input.invalid" });
  const claimed = await ledger.claims.claim(id, { worker: "w" }, yes);
  expect(claimed).toMatchObject({ kind: "claimed", fence: 2, isTakenOver: false, run: { status: "running" } });
  await ledger.append(id, [{ type: "run.started", data: {} }]);
  await ledger.finish(id, { type: "run.succeeded", data: {} });
  ledger.claims.drop(id);
  expect(await ledger.claims.claim(id, {}, yes)).toMatchObject({ kind: "ended" });
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

it("what is written beside a run is there with it, or neither is", async () => {
  await using t = await openTestLedger();
  const beside = async (sql: Sql, id: string) => {
    await sql("insert into meta (key, value) values ('ticket', 'there')");
    if (id !== "") throw new Error("no room");
  };
  await expect(t.ledger.claims.queueRun(work, {}, beside)).rejects.toThrow("no room");
  expect(t.query("select value from meta where key = 'ticket'")).toEqual([]);
  expect(t.query("select id from runs")).toEqual([]);
});

it("a worker whose run another one has claimed can write nothing of it any more", async () => {
  await using t = await openTestLedger();
  const { ledger: old } = t;
  const { id } = await old.claims.queueRun(work, {}, nothing);
  await old.claims.claim(id, { worker: "old" }, yes);
  const next = await openAt(t.home);
  const artifact = { runId: id, name: "a.txt", mime: "text/plain" };
  await old.artifacts.put(Buffer.from("from before"), artifact);
  expect(await next.claims.claim(id, { worker: "next" }, yes)).toMatchObject({ fence: 4, isTakenOver: true });

  await expect(old.append(id, [{ type: "run.started", data: {} }])).rejects.toMatchObject(claimLost);
  await expect(old.finish(id, { type: "run.succeeded", data: {} })).rejects.toMatchObject(claimLost);
  await expect(old.artifacts.put(Buffer.from("late"), artifact)).rejects.toMatchObject(claimLost);
  await expect(old.blobs.put(Buffer.from("late"), { runId: id })).rejects.toMatchObject(claimLost);
  old.claims.drop(id);
  await expect(old.finish(id, { type: "run.cancelled", data: {} })).rejects.toMatchObject({ code: "input.invalid" });

  expect(await next.artifacts.list(id)).toEqual([]);
  await next.finish(id, { type: "run.succeeded", data: {} });
  await expect(old.finish(id, { type: "run.failed", data: {} })).rejects.toMatchObject({ code: "input.invalid" });
  const types = (await next.events(id)).map(({ type }) => type);
  expect(types).toEqual(["run.created", "run.queued", "run.claimed", "run.queued", "run.claimed", "run.succeeded"]);
  expect(await next.verify()).toMatchObject({ ok: true });
  await next.close();
});

it("the claim in the row decides, also where a writer has read it before", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.claims.queueRun(work, {}, nothing);
  await t.ledger.claims.claim(id, {}, yes);
  t.tamper("update runs set fence = 7 where id = ?", id);
  await expect(t.ledger.append(id, [{ type: "run.started", data: {} }])).rejects.toMatchObject(claimLost);
  expect((await t.ledger.verify()).first?.problem).toMatch(/column fence/);
});

it("a claim that the queue decides against leaves the run as it was", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.claims.queueRun(work, {}, nothing);
  expect(await t.ledger.claims.claim(id, {}, async () => false)).toMatchObject({ kind: "refused" });
  expect(await t.ledger.getRun(id)).toMatchObject({ status: "queued", events: 2 });
});

it("a paused goal waits for a worker again, and its old worker's claim is over", async () => {
  await using t = await openTestLedger();
  const { ledger } = t;
  const { id } = await ledger.claims.queueRun({ ...work, kind: "goal", workspace: "/w" }, {}, nothing);
  await ledger.claims.claim(id, {}, yes);
  await expect(ledger.resume(id)).rejects.toThrow(/carried out by a worker/);
  await ledger.pause(id, {});
  await expect(ledger.append(id, [{ type: "task.done", data: {} }])).rejects.toMatchObject(claimLost);
  ledger.claims.drop(id);
  await ledger.claims.queueAgain(id, { reason: "resumed" }, nothing);
  await expect(ledger.resume(id)).rejects.toThrow(/waits for a worker/);
  expect(await ledger.claims.claim(id, {}, yes)).toMatchObject({ kind: "claimed", isTakenOver: false });
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

it("recovery leaves claimed runs to the queue", async () => {
  const gone = { pid: 1, startTime: "0", host: "gone|gone|gone" };
  await using t = await openTestLedger({ owner: gone });
  const { id } = await t.ledger.claims.queueRun(work, {}, nothing);
  await t.ledger.claims.claim(id, {}, yes);
  const here = await openAt(t.home);
  expect(await here.recover()).toEqual([]);
  expect((await here.getRun(id))?.status).toBe("running");
  await here.close();
});
