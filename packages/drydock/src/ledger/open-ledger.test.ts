import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Run, RunEvent } from "@drydock/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createRedactor } from "./redact/create-redactor.ts";
import { addEndedRun, makeHome, openAt, openTestLedger } from "./testing/open-test-ledger.ts";
import { isOnPostgres } from "./testing/postgres/test-databases.ts";

const output = (text: string) => ({ type: "output.recorded", data: { text } }) as const;

test("a run goes from created to ended, and its row says what its events say", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({
    kind: "exec",
    title: "print(1)",
    sessionId: "ses_1",
    workspace: "/w",
    data: { policy: { version: 1 } },
  });
  expect(Run.parse(await t.ledger.getRun(id))).toMatchObject({
    status: "running",
    verdict: "unverified",
    title: "print(1)",
    sessionId: "ses_1",
    workspace: "/w",
    events: 1,
    endedAt: null,
  });
  await t.ledger.finish(
    id,
    { type: "run.failed", data: { verdict: "failed", error: { code: "limit.timeout" }, treeHash: "abc" } },
    [output("1")],
  );
  expect(Run.parse(await t.ledger.getRun(id))).toMatchObject({
    status: "failed",
    verdict: "failed",
    errorCode: "limit.timeout",
    treeHash: "abc",
    events: 3,
  });
  const events = await t.ledger.events(id);
  expect(events.map((event) => RunEvent.parse(event).type)).toEqual(["run.created", "output.recorded", "run.failed"]);
  expect(events[0]?.data).toMatchObject({ policy: { version: 1 } });
  expect(events[1]?.prevHash).toBe(events[0]?.hash);
  expect(await t.ledger.events(id, { afterSeq: 0, limit: 1 })).toEqual([events[1]]);
});

test("the same append again changes nothing; another at the same number is refused", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  const first = await t.ledger.append(id, [output("a"), output("b")], { fromSeq: 1 });
  expect(await t.ledger.append(id, [output("a"), output("b")], { fromSeq: 1 })).toEqual(first);
  const longer = await t.ledger.append(id, [output("b"), output("c")], { fromSeq: 2 });
  expect(longer.map((event) => event.seq)).toEqual([2, 3]);
  expect((await t.ledger.getRun(id))?.events).toBe(4);
  await expect(t.ledger.append(id, [output("x")], { fromSeq: 2 })).rejects.toMatchObject({
    code: "input.invalid",
    data: { seq: 2 },
  });
  await expect(t.ledger.append(id, [output("x")], { fromSeq: 9 })).rejects.toMatchObject({
    code: "input.invalid",
    data: { nextSeq: 4 },
  });
  await expect(t.ledger.append("run_none", [output("x")])).rejects.toMatchObject({ code: "run.not_found" });
  expect(await t.ledger.verify()).toMatchObject({ ok: true, events: 4 });
});

test("an append that is refused leaves nothing behind", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  await expect(t.ledger.append(id, [output("a"), { type: "run.failed", data: {} }])).rejects.toMatchObject({
    code: "input.invalid",
  });
  expect(await t.ledger.events(id)).toHaveLength(1);
});

test("a run ends once: the same end again changes nothing, another is refused", async () => {
  await using t = await openTestLedger();
  const { id } = await t.ledger.createRun({ kind: "exec", title: "", data: {} });
  const ended = await t.ledger.finish(id, { type: "run.succeeded", data: { n: 1 } }, [output("a")]);
  expect(await t.ledger.finish(id, { type: "run.succeeded", data: { n: 1 } }, [output("a")])).toEqual(ended);
  await expect(t.ledger.finish(id, { type: "run.failed", data: {} })).rejects.toMatchObject({ code: "input.invalid" });
  await expect(t.ledger.finish(id, output("no end"))).rejects.toMatchObject({ code: "input.invalid" });
  await expect(t.ledger.append(id, [output("late")])).rejects.toMatchObject({ code: "input.invalid" });
  expect(await t.ledger.verify()).toMatchObject({ ok: true, events: 3 });
});

test("what became of its changes can be recorded after a run's end, and is chained as well", async () => {
  await using t = await openTestLedger();
  const id = await addEndedRun(t.ledger);
  await t.ledger.append(id, [{ type: "layer.applied", data: { to: "/w" } }]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true, events: 5 });
  expect((await t.ledger.getRun(id))?.status).toBe("succeeded");
  t.tamper("delete from events where run_id = ? and seq = 4", id);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { runId: id, seq: 4 } });
});

test("runs are listed newest first, page by page, by status and by session", async () => {
  await using t = await openTestLedger();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { id } = await t.ledger.createRun({ kind: "exec", title: `${i}`, sessionId: i % 2 ? "odd" : null, data: {} });
    ids.unshift(id);
  }
  await t.ledger.finish(ids[0] ?? "", { type: "run.cancelled", data: {} });
  const first = await t.ledger.listRuns({ limit: 2 });
  const second = await t.ledger.listRuns({ limit: 2, cursor: first.nextCursor });
  const third = await t.ledger.listRuns({ limit: 2, cursor: second.nextCursor });
  expect([first, second, third].flatMap((page) => page.runs.map((run) => run.id))).toEqual(ids);
  expect(third.nextCursor).toBeNull();
  expect((await t.ledger.listRuns({ status: "cancelled" })).runs.map((run) => run.id)).toEqual([ids[0]]);
  expect((await t.ledger.listRuns({ verdict: "unverified" })).runs).toHaveLength(5);
  expect((await t.ledger.listRuns({ verdict: "passed" })).runs).toEqual([]);
  for (const limit of [0, -1, 1.5, Number.NaN, 1001]) {
    await expect(t.ledger.listRuns({ limit })).rejects.toMatchObject({ code: "input.invalid" });
  }
  await expect(t.ledger.events(ids[0] ?? "", { limit: 0 })).rejects.toMatchObject({ code: "input.invalid" });
  expect((await t.ledger.listRuns({ session: "odd" })).runs.map((run) => run.title)).toEqual(["3", "1"]);
  await expect(t.ledger.listRuns({ cursor: "nonsense" })).rejects.toMatchObject({ code: "input.invalid" });
});

test("a clock that jumps back changes no order and breaks no chain", async () => {
  const times = ["2026-05-01T00:00:00Z", "2020-01-01T00:00:00Z", "2026-04-30T00:00:00Z", "1999-01-01T00:00:00Z"];
  let tick = 0;
  await using t = await openTestLedger({ now: () => new Date(times[tick++ % times.length] ?? "") });
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift(await addEndedRun(t.ledger, `${i}`));
  expect((await t.ledger.listRuns()).runs.map((run) => run.id)).toEqual(ids);
  expect((await t.ledger.events(ids[0] ?? "")).map((event) => event.seq)).toEqual([0, 1, 2, 3]);
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
});

test.skipIf(isOnPostgres)("home and files are for their owner only", async () => {
  const parent = makeHome();
  await using t = await openTestLedger({ home: join(parent, "deep", "home") });
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  await addEndedRun(t.ledger);
  expect(statSync(t.home).mode & 0o777).toBe(0o700);
  for (const name of ["ledger.db", "ledger.db-wal", "ledger.db-shm"])
    expect(statSync(join(t.home, name)).mode & 0o777).toBe(0o600);
});

test("two ledgers on one home in one process write at once without waiting for each other for ever", async () => {
  await using t = await openTestLedger();
  const other = await openAt(t.home);
  await Promise.all(Array.from({ length: 40 }, (_, i) => addEndedRun(i % 2 ? other : t.ledger, `${i}`)));
  expect(await other.verify()).toMatchObject({ ok: true, runs: 40, events: 160 });
  await other.close();
});

test("what is written is there after closing and opening again, also with synchronous=full", async () => {
  const home = makeHome();
  const ledger = await openAt(home, { synchronous: "full" });
  const id = await addEndedRun(ledger);
  await ledger.close();
  await using t = await openTestLedger({ home });
  expect((await t.ledger.getRun(id))?.events).toBe(4);
});

test.skipIf(isOnPostgres)(
  "a process that ends leaves a short log for the next one, and folds a long one in",
  async () => {
    const home = makeHome();
    const log = join(home, "ledger.db-wal");
    const ledger = await openAt(home);
    const id = await addEndedRun(ledger);
    await ledger.leave();
    expect(existsSync(log)).toBe(true);
    await ledger.close();
    expect(existsSync(log)).toBe(false);
    const next = await openAt(home);
    expect((await next.getRun(id))?.events).toBe(4);
    const { id: long } = await next.createRun({ kind: "exec", title: "", data: {} });
    await next.finish(long, { type: "run.succeeded", data: {} }, [output("x".repeat(2 * 1024 * 1024))]);
    await next.leave();
    expect(existsSync(log)).toBe(false);
  },
);

test("secrets reach neither events nor titles nor artifacts, in the files either", async () => {
  const secret = "hunter2-hunter2";
  const redactor = createRedactor({ environment: { DB_PASSWORD: secret }, allowedNames: () => false });
  await using t = await openTestLedger({ redactor });
  const { id } = await t.ledger.createRun({
    kind: "exec",
    title: `echo ${secret}`,
    data: { request: { code: `x = "${secret}"`, [secret]: [secret] } },
  });
  await t.ledger.append(id, [output(`${secret}\n${Buffer.from(secret).toString("base64")}`)]);
  await t.ledger.artifacts.put(Buffer.from(`password: ${secret}`), {
    runId: id,
    name: `${secret}.txt`,
    mime: "text/plain",
  });
  await t.ledger.finish(id, { type: "run.failed", data: { error: { code: "code.exception", message: secret } } });
  const lines: string[] = [];
  for await (const line of t.ledger.exportAudit()) lines.push(line);
  expect(lines.join("")).not.toContain(secret);
  expect(lines.join("")).toContain("[redacted:DB_PASSWORD]");
  expect(t.query("select name, sha256 from artifacts")[0]?.name).toBe("[redacted:DB_PASSWORD].txt");
  const [artifact] = await t.ledger.artifacts.list(id);
  expect((await t.ledger.artifacts.read(artifact?.id ?? "")).toString()).toBe("password: [redacted:DB_PASSWORD]");
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
});

test("texts that databases find hard are stored: NUL, half surrogates, other scripts, ten megabytes", async () => {
  await using t = await openTestLedger();
  const text = "a\0b\ud800 日本 🚢";
  const { id } = await t.ledger.createRun({ kind: "exec", title: text, data: { text, big: "x".repeat(10_000_000) } });
  expect((await t.ledger.getRun(id))?.title).toBe("a\uFFFDb\uFFFD 日本 🚢");
  expect((await t.ledger.events(id))[0]?.data.text).toBe(text);
  expect(await t.ledger.verify()).toMatchObject({ ok: true });
});

test("an export holds checkpoints, the chain, runs, events and the head to keep", async () => {
  await using t = await openTestLedger();
  await addEndedRun(t.ledger);
  await addEndedRun(t.ledger);
  const lines: Record<string, unknown>[] = [];
  for await (const line of t.ledger.exportAudit()) lines.push(JSON.parse(line) as Record<string, unknown>);
  const records = lines.map((line) => line.record);
  expect(records.filter((record) => record === "head")).toHaveLength(4);
  expect(records.filter((record) => record === "run")).toHaveLength(2);
  expect(records.filter((record) => record === "event")).toHaveLength(8);
  const { head } = await t.ledger.verify();
  expect(lines.at(-1)).toEqual({ record: "end", runs: 2, events: 8, head });
});
