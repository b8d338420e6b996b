import type { Run } from "@drydock/protocol";
import { expect, it } from "vitest";
import { listWorkers, setWorkerState } from "./index.ts";
import { openTestQueue } from "./testing/open-test-queue.ts";

/** Carries runs out one by one, and remembers in which order. */
function remembering(ledger: Awaited<ReturnType<typeof openTestQueue>>["ledger"]) {
  const order: string[] = [];
  return {
    order,
    carryOut: async (run: Run) => {
      order.push(run.title);
      await ledger.finish(run.id, { type: "run.succeeded", data: {} });
    },
  };
}

it("runs of several parties take turns, and a higher priority goes first", async () => {
  await using q = await openTestQueue();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await q.submit({ title: `a${n}`, party: "a" }));
  for (const n of [1, 2]) ids.push(await q.submit({ title: `b${n}`, party: "b" }));
  ids.push(await q.submit({ title: "urgent", party: "a", priority: 1 }));
  const { order, carryOut } = remembering(q.ledger);
  await q.work({ carryOut });
  await q.ended(...ids);
  expect(order).toEqual(["urgent", "a1", "b1", "a2", "b2", "a3"]);
  await expect.poll(() => q.boss.sql("select run_id from drydock_queue.orders")).toEqual([]);
});

it("a worker takes what it has the offers for, and leaves the rest to others", async () => {
  await using q = await openTestQueue();
  const special = await q.submit({ title: "special", needs: ["label:gpu", "language:python"] });
  const plain = await q.submit({ title: "plain", needs: ["language:python"] });
  const first = remembering(q.ledger);
  await q.work({ offers: ["language:python"], carryOut: first.carryOut });
  await q.ended(plain);
  expect(first.order).toEqual(["plain"]);
  expect((await q.ledger.getRun(special))?.status).toBe("queued");
  const second = remembering(q.ledger);
  await q.work({ offers: ["language:python", "label:gpu"], carryOut: second.carryOut });
  await q.ended(special);
  expect(second.order).toEqual(["special"]);
});

it("no more runs of an agent are carried out at once than its cap says, on all workers together", async () => {
  await using q = await openTestQueue();
  await q.boss.sql("insert into drydock_queue.caps values ('agent', '*', 2)");
  let now = 0;
  let most = 0;
  const carryOut = async (run: Run) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((done) => setTimeout(done, 30));
    now -= 1;
    await q.ledger.finish(run.id, { type: "run.succeeded", data: {} });
  };
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.push(await q.submit({ agent: "bot" }));
  await q.work({ slots: 4, carryOut });
  await q.work({ slots: 4, carryOut });
  await q.ended(...ids);
  expect(most).toBe(2);
});

it("a run waits for its time", async () => {
  await using q = await openTestQueue();
  const { order, carryOut } = remembering(q.ledger);
  const late = await q.submit({ title: "late", startAfter: new Date(Date.now() + 1500) });
  const soon = await q.submit({ title: "soon" });
  await q.work({ carryOut });
  await q.ended(soon, late);
  expect(order).toEqual(["soon", "late"]);
});

it("what can't be carried out is tried again, and ends as lost when it is given up", async () => {
  await using q = await openTestQueue();
  await q.boss.engine.updateQueue("runs", { retryLimit: 1, retryDelay: 0, retryBackoff: false });
  const id = await q.submit();
  let attempts = 0;
  const carryOut = async () => {
    attempts += 1;
    throw new Error("the disk is full");
  };
  await q.work({ carryOut });
  await q.work({ carryOut });
  const [run] = await q.ended(id);
  expect(run?.status).toBe("lost");
  expect(attempts).toBe(2);
  const events = await q.ledger.events(id);
  expect(events.at(-1)?.data).toMatchObject({ attempts: 2, isRetryable: true, last: { message: "the disk is full" } });
  expect(await q.ledger.verify()).toMatchObject({ ok: true });
});

it("a cordoned worker takes no run, and a drained one ends with its last", async () => {
  await using q = await openTestQueue();
  const worker = await q.work();
  await setWorkerState(q.boss.sql, worker.id, "cordoned");
  await expect.poll(async () => (await listWorkers(q.boss.sql, 10))[0]?.state).toBe("cordoned");
  // It hears of it with its next heartbeat.
  await new Promise((done) => setTimeout(done, 1200));
  const id = await q.submit();
  await new Promise((done) => setTimeout(done, 700));
  expect((await q.ledger.getRun(id))?.status).toBe("queued");
  await setWorkerState(q.boss.sql, worker.id, "draining");
  await worker.drained;
  expect((await q.ledger.getRun(id))?.status).toBe("queued");
  await q.work();
  await q.ended(id);
  await expect(setWorkerState(q.boss.sql, "nobody", "active")).rejects.toMatchObject({ code: "input.invalid" });
});

it("a run that was cancelled while it waited is not carried out", async () => {
  await using q = await openTestQueue();
  const id = await q.submit({ title: "cancelled" });
  await q.ledger.finish(id, { type: "run.cancelled", data: {} });
  const next = await q.submit({ title: "next" });
  const { order, carryOut } = remembering(q.ledger);
  await q.work({ carryOut });
  await q.ended(next);
  expect(order).toEqual(["next"]);
});

it("two workers never carry out the same run", async () => {
  await using q = await openTestQueue();
  const seen: string[] = [];
  const carryOut = async (run: Run) => {
    seen.push(run.id);
    await q.ledger.finish(run.id, { type: "run.succeeded", data: {} });
  };
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) ids.push(await q.submit());
  for (let n = 0; n < 3; n++) await q.work({ slots: 4, carryOut });
  await q.ended(...ids);
  expect(seen.sort()).toEqual(ids.sort());
  expect(await q.ledger.verify()).toMatchObject({ ok: true });
});
