import { existsSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { addEndedRun, makeHome } from "../../src/ledger/testing/open-test-ledger.ts";
import { runSql } from "../../src/ledger/testing/postgres/test-databases.ts";
import { type Member, useMembers } from "./testing/open-members.ts";

const members = useMembers();
let one: Member;
let other: Member;
let runId = "";

beforeAll(async () => {
  one = await members.join();
  other = await members.join();
  runId = await addEndedRun(one.ledger);
});

const PICTURE = { name: "picture", mime: "image/png" };
/** What a machine has of the contents. */
const copies = ({ home }: Member) =>
  readdirSync(join(home, "artifacts"))
    .filter((name) => name !== "staging")
    .flatMap((name) => readdirSync(join(home, "artifacts", name)).map((rest) => name + rest));
const sql = (text: string) => runSql(members.address(), text).trim();

describe("contents", () => {
  test("of one machine are read on another, whole and in part, and kept there once", async () => {
    const bytes = Buffer.alloc(1_000_000, "drydock ");
    const pieces = Array.from({ length: 10 }, (_, at) => bytes.subarray(at * 100_000, (at + 1) * 100_000));
    const artifact = await one.ledger.artifacts.put(Readable.from(pieces), { runId, ...PICTURE });
    const blob = await one.ledger.blobs.put(bytes, { runId });
    expect(blob.sha256).toBe(artifact.sha256);
    expect(sql(`select size, count(*) from contents join content_parts using (sha256) group by 1`)).toBe("1000000|4");
    expect((await other.ledger.artifacts.read(artifact.id)).equals(bytes)).toBe(true);
    expect((await other.ledger.artifacts.read(artifact.id, { start: 8, end: 15 })).toString()).toBe("drydock");
    expect((await other.ledger.blobs.readWhole(blob.sha256)).equals(bytes)).toBe(true);
    expect(copies(other)).toEqual([artifact.sha256]);
  });

  test("many small ones and an empty one come at once", async () => {
    const all = Array.from({ length: 1200 }, (_, index) => Buffer.from(index === 0 ? "" : `file ${index}`));
    const blobs = await one.ledger.blobs.putAll(all, { runId });
    await other.ledger.blobs.bring(blobs.map(({ sha256 }) => sha256));
    expect(copies(other)).toEqual(expect.arrayContaining(blobs.map(({ sha256 }) => sha256)));
    for (const [index, { sha256 }] of blobs.entries())
      expect((await other.ledger.blobs.readWhole(sha256)).toString()).toBe(String(all[index]));
  });

  test("a copy that was damaged on this machine is fetched again; what is damaged in the database is refused", async () => {
    const { id, sha256 } = await one.ledger.artifacts.put(Buffer.from("honest"), { runId, ...PICTURE });
    const path = await other.ledger.blobs.path(sha256);
    writeFileSync(path, "forged");
    expect((await other.ledger.artifacts.read(id)).toString()).toBe("honest");
    truncateSync(await other.ledger.blobs.path(sha256), 2);
    expect((await other.ledger.blobs.read(sha256)).toString()).toBe("honest");
    sql(`update content_parts set bytes = 'forged' where sha256 = '${sha256}'`);
    const third = await members.join();
    await expect(third.ledger.artifacts.read(id)).rejects.toMatchObject({ code: "ledger.unavailable" });
    expect(copies(third)).toEqual([]);
  });

  test("one that another machine has removed goes from here as well, and one that is needed again is stored again", async () => {
    const soon = new Date("2026-01-01T00:00:00Z");
    const content = Buffer.from("for a while");
    const gone = await one.ledger.artifacts.put(content, { runId, ...PICTURE, expiresAt: soon });
    const copy = await other.ledger.blobs.path(gone.sha256);
    expect(await one.ledger.artifacts.expire(soon)).toMatchObject({ artifacts: 1 });
    const [yesterday] = [new Date(Date.now() - 86_400_000)];
    utimesSync(copy, yesterday, yesterday);
    await other.ledger.artifacts.expire(soon);
    expect(existsSync(copy)).toBe(false);
    const again = await other.ledger.artifacts.put(content, { runId, ...PICTURE });
    expect((await one.ledger.artifacts.read(again.id)).toString()).toBe("for a while");
  });

  test("an expiry beside machines that store the same content never leaves a row that points nowhere", async () => {
    const soon = new Date("2026-01-01T00:00:00Z");
    const kept: string[] = [];
    const store = async ({ ledger }: Member, name: string) => {
      for (let turn = 0; turn < 25; turn++) {
        const content = Buffer.from(`shared ${turn % 5}`);
        await ledger.artifacts.put(content, { runId, ...PICTURE, expiresAt: soon });
        if (turn % 5 === 4) kept.push((await ledger.artifacts.put(content, { runId, ...PICTURE, name })).id);
        if (turn % 3 === 0) await ledger.artifacts.expire(soon);
      }
    };
    await Promise.all([store(one, "a"), store(other, "b")]);
    expect(kept).toHaveLength(10);
    const fresh = await members.join();
    for (const id of kept) expect((await fresh.ledger.artifacts.read(id)).toString()).toBe("shared 4");
  });

  test("a machine keeps no more than it may, those that it used last", async () => {
    const small = await members.join({ cacheBytes: 250_000 });
    const stored: string[] = [];
    for (let at = 0; at < 4; at++) {
      const { sha256 } = await one.ledger.blobs.put(Buffer.alloc(100_000, `${at}`), { runId });
      stored.push(sha256);
      const path = await small.ledger.blobs.path(sha256);
      // It is not in use any more.
      const earlier = new Date(Date.now() - (10 - at) * 3_600_000);
      utimesSync(path, earlier, earlier);
    }
    expect(copies(small).sort()).toEqual(stored.slice(2).sort());
    expect((await small.ledger.blobs.read(stored[0] ?? "")).length).toBe(100_000);
  });
});

describe("signatures", () => {
  const anchor = async ({ ledger }: Member) => JSON.stringify((await ledger.signHead()).envelope);

  test("of any member hold on every member; that of a stranger does not", async () => {
    const anchors = [await anchor(one), await anchor(other)].join("\n");
    for (const { ledger } of [one, other]) {
      const report = await ledger.verify({ expect: anchors });
      expect(report).toMatchObject({ ok: true, anchors: [{ ok: true }, { ok: true }] });
    }
    const stranger = await members.join();
    const strange = await anchor(stranger);
    sql(`delete from member_keys where member = '${memberOf(stranger)}'`);
    const found = await one.ledger.verify({ expect: strange });
    expect(found).toMatchObject({ ok: false, first: { problem: expect.stringContaining("not a key of this ledger") } });
    // The ledger holds the head that was signed last.
    await one.ledger.signHead();
    expect(await other.ledger.verify()).toMatchObject({ ok: true });
  });

  test("a row in the list of keys that is no key counts for nothing", async () => {
    const stranger = await members.join();
    const strange = await anchor(stranger);
    sql(`update member_keys set spki = 'nonsense' where member = '${memberOf(stranger)}'`);
    expect(await one.ledger.verify({ expect: strange })).toMatchObject({ ok: false });
    await one.ledger.signHead();
  });

  const memberOf = ({ home }: Member) => sql(`select id from members where home = '${home}'`);

  test("the list names each home once, with the machine it is on", async () => {
    await (await members.join({ home: one.home })).ledger.close();
    expect(sql(`select count(*) from members where home = '${one.home}'`)).toBe("1");
  });
});

test("runs of a process on another machine are left alone, until a registry says that it is gone", async () => {
  const home = makeHome();
  const left = await members.join({
    home,
    owner: { pid: 2 ** 22 + 1, startTime: "1", host: "far|another-boot|pid:[1]" },
  });
  const { id } = await left.ledger.createRun({ kind: "exec", title: "far", data: {} });
  expect(await one.ledger.recover()).toEqual([]);
  const asked: string[] = [];
  const judge = await members.join({
    isElsewhereGone: ({ host }) => {
      asked.push(host);
      return true;
    },
  });
  expect(await judge.ledger.recover()).toEqual([id]);
  expect(asked).toEqual([expect.stringMatching(/^far\|another-boot\|pid:\[1\]\|[0-9a-f-]{36}$/)]);
  rmSync(home, { recursive: true, force: true });
});
