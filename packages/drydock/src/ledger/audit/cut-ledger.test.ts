import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addEndedRun, openTestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

const OLD = new Date("2026-01-01T00:00:00Z");
const NEW = new Date("2026-03-01T00:00:00Z");
const BETWEEN = new Date("2026-02-01T00:00:00Z");

/** Two old runs, an old one still under way, then a new run. */
async function openAgedLedger() {
  let time = OLD;
  const t = await openTestLedger({ now: () => time });
  const old = [await addEndedRun(t.ledger, "old 1"), await addEndedRun(t.ledger, "old 2")];
  const { id: running } = await t.ledger.createRun({ kind: "session", title: "running", data: {} });
  await t.ledger.append(running, [{ type: "output.recorded", data: {} }]);
  time = NEW;
  const fresh = await addEndedRun(t.ledger, "fresh");
  return Object.assign(t, {
    old,
    running,
    fresh,
    setTime: (next: Date) => {
      time = next;
    },
  });
}

test("a cut removes the runs that ended before, leaves a checkpoint, and the audit accepts it", async () => {
  await using t = await openAgedLedger();
  const report = await t.ledger.cut({ before: BETWEEN });
  expect(report).toMatchObject({ removedRuns: 2, removedEvents: 8, checkpoint: { carried: [{ runId: t.running }] } });
  expect((await t.ledger.listRuns()).runs.map((run) => run.id)).toEqual([t.fresh, t.running]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 2, events: 6 });
  await addEndedRun(t.ledger, "later");
  await t.ledger.finish(t.running, { type: "run.succeeded", data: {} });
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 3 });
});

test("a second cut starts from the first, and its checkpoint counts both", async () => {
  await using t = await openAgedLedger();
  await t.ledger.cut({ before: BETWEEN });
  expect(await t.ledger.cut({ before: BETWEEN })).toMatchObject({ removedRuns: 0, checkpoint: null });
  t.setTime(new Date("2026-05-01T00:00:00Z"));
  await t.ledger.finish(t.running, { type: "run.succeeded", data: {} });
  await t.ledger.append(t.running, [{ type: "layer.discarded", data: {} }]);
  const second = await t.ledger.cut({ before: new Date("2026-04-01T00:00:00Z") });
  expect(second).toMatchObject({ removedRuns: 1, checkpoint: { removedRuns: 3, removedEvents: 12 } });
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 1, events: 4 });
  const third = await t.ledger.cut({ before: new Date("2026-06-01T00:00:00Z") });
  expect(third.checkpoint?.carried).toEqual([]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 0, events: 0 });
  await addEndedRun(t.ledger, "after everything");
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 1, events: 4 });
});

test("a cut in several steps removes the same, and the audit accepts it", async () => {
  let time = OLD.getTime();
  await using t = await openTestLedger({ now: () => new Date(time++) });
  for (let number = 0; number < 7; number++) await addEndedRun(t.ledger, `old ${number}`);
  time = NEW.getTime();
  const fresh = await addEndedRun(t.ledger, "fresh");
  const report = await t.ledger.cut({ before: BETWEEN, runsAtOnce: 2 });
  expect(report).toMatchObject({
    removedRuns: 7,
    removedEvents: 28,
    checkpoint: { removedRuns: 7, removedEvents: 28 },
  });
  expect(new Set(report.removed).size).toBe(7);
  expect((await t.ledger.listRuns()).runs.map((run) => run.id)).toEqual([fresh]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 1, pruned: { runs: 7 } });
});

test.skipIf(isOnPostgres)("the room of removed runs is given back to the disk", async () => {
  let time = OLD;
  await using t = await openTestLedger({ now: () => time });
  const kept = await addEndedRun(t.ledger, "kept");
  const { id } = await t.ledger.createRun({ kind: "exec", title: "large", data: {} });
  const text = "x".repeat(60_000);
  await t.ledger.append(
    id,
    Array.from({ length: 60 }, () => ({ type: "output.recorded", data: { text } }) as const),
  );
  await t.ledger.finish(id, { type: "run.succeeded", data: {} });
  expect(await t.ledger.reclaimSpace()).toBe(0);
  time = NEW;
  await t.ledger.append(kept, [{ type: "layer.discarded", data: {} }]);
  expect(await t.ledger.cut({ before: BETWEEN })).toMatchObject({ removedRuns: 1 });
  const free = await t.ledger.measureFreeSpace();
  expect(free).toBeGreaterThan(3_000_000);
  const size = () => statSync(join(t.home, "ledger.db")).size;
  expect(await t.ledger.reclaimSpace()).toBeGreaterThan(3_000_000);
  expect(await t.ledger.measureFreeSpace()).toBeLessThan(100_000);
  expect(size()).toBeLessThan(1_000_000);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 1 });
});

test("an old run that something was recorded about later stays", async () => {
  await using t = await openAgedLedger();
  const [amended = ""] = t.old;
  await t.ledger.append(amended, [{ type: "layer.applied", data: {} }]);
  expect(await t.ledger.cut({ before: BETWEEN })).toMatchObject({ removedRuns: 1 });
  expect(await t.ledger.getRun(amended)).not.toBeNull();
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 3 });
});

test("a cut takes the content that only removed runs needed", async () => {
  let time = OLD;
  await using t = await openTestLedger({ now: () => time });
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  const only = await t.ledger.blobs.put(Buffer.from("only here"), { runId: id });
  const shared = await t.ledger.artifacts.put(Buffer.from("shared"), { runId: id, name: "s", mime: "image/png" });
  await t.ledger.finish(id, { type: "run.succeeded", data: {} });
  time = NEW;
  const { id: later } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  await t.ledger.blobs.put(Buffer.from("shared"), { runId: later });
  await t.ledger.cut({ before: BETWEEN });
  await expect(t.ledger.blobs.read(only.sha256)).rejects.toMatchObject({ code: "ledger.unavailable" });
  expect(await t.ledger.blobs.read(shared.sha256)).toHaveLength(shared.size);
  expect(await t.ledger.artifacts.get(shared.id)).toBeNull();
});

test.each([
  ["changed counts", "update checkpoints set data = replace(data, '\"removedRuns\":2', '\"removedRuns\":3')"],
  ["a changed position", "update checkpoints set data = replace(data, '\"position\":', '\"position\":1')"],
  ["no JSON", "update checkpoints set data = '{'"],
  ["removed", "delete from checkpoints"],
  ["removed with its entry", "delete from heads where kind = 'checkpoint'"],
  ["a second one inserted", "insert into checkpoints select position + 1, data from checkpoints"],
])("a checkpoint that was tampered with is found: %s", async (_name, sql) => {
  await using t = await openAgedLedger();
  await t.ledger.cut({ before: BETWEEN });
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  expect(t.tamper(sql)).toBe(1);
  expect(await t.ledger.verify()).toMatchObject({ ok: false });
});

test("a run carried over a cut is still missed when it is removed, and when its tail is", async () => {
  await using t = await openAgedLedger();
  await t.ledger.cut({ before: BETWEEN });
  t.tamper("delete from events where run_id = ? and seq = 1", t.running);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: t.running, seq: 1 } });
  t.tamper("delete from events where run_id = ?", t.running);
  t.tamper("delete from runs where id = ?", t.running);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: t.running, seq: 0 } });
});

test("old runs that were removed by hand are not taken for a cut", async () => {
  await using t = await openAgedLedger();
  for (const id of t.old) {
    t.tamper("delete from events where run_id = ?", id);
    t.tamper("delete from runs where id = ?", id);
  }
  t.tamper("delete from heads where position <= 4");
  expect(await t.ledger.verify()).toMatchObject({ ok: false });
});

test("a cut does not cover up a run that was removed by hand before it", async () => {
  await using t = await openAgedLedger();
  const [gone = ""] = t.old;
  t.tamper("delete from events where run_id = ?", gone);
  t.tamper("delete from runs where id = ?", gone);
  await t.ledger.cut({ before: BETWEEN });
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: gone } });
});
