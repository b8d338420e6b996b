import { expect, test } from "vitest";
import { addEndedRun, openTestLedger } from "../testing/open-test-ledger.ts";
import { fill } from "../testing/tampering.ts";

test("what was tampered with is still found after the ledger has gone on working", async () => {
  await using t = await openTestLedger();
  const { last } = await fill(t);
  t.tamper("delete from heads where position = (select max(position) from heads)");
  await addEndedRun(t.ledger, "later");
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: last } });
});

test("a rewrite of everything is found by comparing with a head that was kept", async () => {
  await using t = await openTestLedger();
  await fill(t);
  const kept = (await t.ledger.verify()).head?.hash ?? "";
  await addEndedRun(t.ledger, "later");
  expect(await t.ledger.verify({ expect: kept })).toMatchObject({ ok: true });

  for (const table of ["runs", "events", "heads", "meta"]) t.tamper(`delete from ${table}`);
  for (let i = 0; i < 8; i++) await addEndedRun(t.ledger, `forged ${i}`);
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
  expect(await t.ledger.verify({ expect: kept })).toMatchObject({ ok: false, first: { runId: "ledger" } });
});

test("what was made unreadable is refused when read, and passed on as it is in an export", async () => {
  await using t = await openTestLedger();
  const { middle } = await fill(t);
  t.tamper("update events set data = '{' where run_id = ? and seq = 1", middle);
  await expect(t.ledger.events(middle)).rejects.toMatchObject({ code: "ledger.unavailable", data: { seq: 1 } });
  const lines: string[] = [];
  for await (const line of t.ledger.exportAudit()) lines.push(line);
  expect(lines.filter((line) => line.includes('"unreadable":"{"'))).toHaveLength(1);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: middle, seq: 1 } });
});

test("a ledger without runs is sound", async () => {
  await using t = await openTestLedger();
  expect(await t.ledger.verify()).toMatchObject({ ok: true, runs: 0, events: 0 });
});
