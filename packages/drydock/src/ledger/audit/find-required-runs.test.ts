import { expect, test } from "vitest";
import { addEndedRun, openTestLedger } from "../testing/open-test-ledger.ts";

const BETWEEN = new Date("2026-02-01T00:00:00Z");

test("a cut keeps what a paused run names, what was started for it, and removes the rest", async () => {
  let time = new Date("2026-01-01T00:00:00Z");
  await using t = await openTestLedger({ now: () => time });
  const base = await addEndedRun(t.ledger, "base");
  const other = await addEndedRun(t.ledger, "other");
  const { id: paused } = await t.ledger.createRun({ kind: "goal", title: "paused", data: { from: base } });
  const { id: child } = await t.ledger.createRun({ kind: "exec", title: "child", data: { parentRunId: paused } });
  await t.ledger.finish(child, { type: "run.succeeded", data: {} });
  await t.ledger.pause(paused, {});
  time = new Date("2026-03-01T00:00:00Z");
  expect(await t.ledger.cut({ before: BETWEEN, dryRun: true })).toMatchObject({ removed: [other], checkpoint: null });
  expect((await t.ledger.listRuns()).runs).toHaveLength(4);
  expect(await t.ledger.cut({ before: BETWEEN })).toMatchObject({ removed: [other] });
  expect((await t.ledger.listRuns()).runs.map(({ id }) => id).sort()).toEqual([base, paused, child].sort());
  expect(await t.ledger.verify()).toMatchObject({
    ok: true,
    runs: 3,
    pruned: { runs: 1, before: BETWEEN.toISOString() },
  });
});
