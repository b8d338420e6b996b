import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../chain/canonical-json.ts";
import { createKeyStore } from "../signing/key-store.ts";
import { addEndedRun, makeHome, openTestLedger, type TestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

async function anchor({ ledger }: TestLedger): Promise<string> {
  return `${canonicalJson((await ledger.signHead()).envelope)}\n`;
}

async function verifyAgain(home: string, expect?: string) {
  const again = await openTestLedger({ home });
  try {
    return await again.ledger.verify({ expect });
  } finally {
    await again.ledger.close();
  }
}

describe("a ledger that is compared with an anchor", () => {
  it("holds while it only grows, and lists every anchor", async () => {
    await using t = await openTestLedger();
    const empty = await anchor(t);
    await addEndedRun(t.ledger);
    const first = await anchor(t);
    await addEndedRun(t.ledger);
    const report = await t.ledger.verify({ expect: `${empty}\n${first}` });
    expect(report).toMatchObject({
      ok: true,
      anchors: [
        { position: 0, ok: true },
        { position: 2, ok: true },
      ],
    });
    const hash = report.anchors?.[1]?.hash ?? "";
    expect(await t.ledger.verify({ expect: hash })).toMatchObject({
      ok: true,
      anchors: [{ position: 2, keyId: null }],
    });
  });

  it.skipIf(isOnPostgres)("fails where it was deleted: no runs is no proof", async () => {
    const home = makeHome();
    await using t = await openTestLedger({ home });
    await addEndedRun(t.ledger);
    const kept = await anchor(t);
    const hash = (await t.ledger.verify()).head?.hash;
    await t.ledger.close();
    for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm"]) rmSync(join(home, name), { force: true });
    expect(await verifyAgain(home)).toMatchObject({ ok: true, runs: 0 });
    expect(await verifyAgain(home, kept)).toMatchObject({
      ok: false,
      first: { runId: "ledger", problem: expect.stringMatching(/ends at entry 0.*deleted or replaced/) },
    });
    expect(await verifyAgain(home, hash)).toMatchObject({ ok: false });
  });

  it.skipIf(isOnPostgres)("fails where an older copy took its place", async () => {
    const home = makeHome();
    await using t = await openTestLedger({ home });
    await addEndedRun(t.ledger);
    await t.ledger.close();
    copyFileSync(join(home, "ledger.db"), join(home, "old.db"));
    const later = await openTestLedger({ home });
    await addEndedRun(later.ledger);
    const kept = await anchor(later);
    await later.ledger.close();
    for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm"]) rmSync(join(home, name), { force: true });
    copyFileSync(join(home, "old.db"), join(home, "ledger.db"));
    expect(await verifyAgain(home)).toMatchObject({ ok: true, runs: 1 });
    expect(await verifyAgain(home, kept)).toMatchObject({
      ok: false,
      first: { problem: expect.stringMatching(/ends at entry 2.*rolled back/) },
    });
  });

  it("fails where everything was written anew, although the new chain is sound", async () => {
    await using t = await openTestLedger();
    await addEndedRun(t.ledger);
    const kept = await anchor(t);
    for (const table of ["runs", "events", "heads", "meta"]) t.tamper(`delete from ${table}`);
    for (let i = 0; i < 3; i++) await addEndedRun(t.ledger, `forged ${i}`);
    expect(await t.ledger.verify()).toMatchObject({ ok: true });
    expect(await t.ledger.verify({ expect: kept })).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("replaced or rewritten") },
    });
  });

  it("fails for an anchor that was changed, or that another home signed", async () => {
    await using t = await openTestLedger();
    await addEndedRun(t.ledger);
    const { head, envelope } = await t.ledger.signHead();
    const payload = Buffer.from(canonicalJson({ ...head, position: 1 })).toString("base64");
    expect(await t.ledger.verify({ expect: JSON.stringify({ ...envelope, payload }) })).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("the anchor was changed") },
    });
    await using other = await openTestLedger();
    await addEndedRun(other.ledger);
    expect(await t.ledger.verify({ expect: await anchor(other) })).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("not a key of this ledger") },
    });
    for (const expect_ of ["", "nonsense", "{}", "abc123"]) {
      await expect(t.ledger.verify({ expect: expect_ })).rejects.toMatchObject({ code: "input.invalid" });
    }
  });

  it("holds with anchors of a key that was rotated away", async () => {
    await using t = await openTestLedger();
    await addEndedRun(t.ledger);
    const kept = await anchor(t);
    await createKeyStore(t.home).rotate();
    expect(await t.ledger.verify({ expect: kept })).toMatchObject({ ok: true });
  });
});

describe("the head that the ledger keeps signed", () => {
  it("is that of the checkpoint after a cut, and an older anchor says what became of its entry", async () => {
    let time = new Date("2026-01-01T00:00:00Z");
    await using t = await openTestLedger({ now: () => time });
    await addEndedRun(t.ledger, "old");
    const { envelope } = await t.ledger.signHead();
    await addEndedRun(t.ledger, "old, too");
    time = new Date("2026-03-01T00:00:00Z");
    const { checkpoint, signedHead } = await t.ledger.cut({ before: new Date("2026-02-01T00:00:00Z") });
    expect(signedHead?.head.position).toBe((checkpoint?.position ?? 0) + 1);
    expect(await t.ledger.verify()).toMatchObject({ ok: true });
    expect(await t.ledger.verify({ expect: canonicalJson(signedHead?.envelope) })).toMatchObject({ ok: true });
    expect(await t.ledger.verify({ expect: canonicalJson(envelope) })).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("retention cut") },
    });
  });

  it("exposes a rewrite by somebody without the key who left it there", async () => {
    await using t = await openTestLedger();
    await addEndedRun(t.ledger);
    await t.ledger.signHead();
    expect(await t.ledger.verify()).toMatchObject({ ok: true });
    for (const table of ["runs", "events", "heads"]) t.tamper(`delete from ${table}`);
    t.tamper("delete from meta where key = 'chain'");
    for (let i = 0; i < 3; i++) await addEndedRun(t.ledger, `forged ${i}`);
    expect(await t.ledger.verify()).toMatchObject({
      ok: false,
      first: { problem: expect.stringContaining("replaced or rewritten") },
    });
    t.tamper("update meta set value = 'x' where key = 'signed-head'");
    expect(await t.ledger.verify()).toMatchObject({
      first: { problem: expect.stringContaining("signed head in the ledger was changed") },
    });
  });
});
