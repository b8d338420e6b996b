import { expect, test } from "vitest";
import { beginCapabilityRun } from "../testing/add-capability-run.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";
import { isOnPostgres } from "../testing/postgres/test-databases.ts";

const quota = { callsPerHour: 3, secondsPerHour: 100 };

test("calls are listed newest first, by extension, session and user, page by page", async () => {
  await using t = await openTestLedger();
  for (let i = 0; i < 6; i++) {
    const id = await beginCapabilityRun(t.ledger, {
      extension: i % 2 ? "jq" : "curl",
      command: i % 2 ? "jq" : "curl",
      session: i < 3 ? "a" : "b",
      user: i === 5 ? "ann" : "owner",
      action: `action-${i}`,
    });
    const failed = { type: "run.failed", data: { durationMs: 12.4, error: { code: "code.exit" } } } as const;
    await t.ledger.finish(id, i === 5 ? failed : { type: "run.succeeded", data: { durationMs: i } });
  }
  const { capabilities } = t.ledger;
  const actions = async (options: Parameters<typeof capabilities.list>[0]) =>
    (await capabilities.list(options)).runs.map(({ action }) => Number(action.slice("action-".length)));
  expect(await actions({})).toEqual([5, 4, 3, 2, 1, 0]);
  expect(await actions({ extension: "jq" })).toEqual([5, 3, 1]);
  expect(await actions({ session: "a" })).toEqual([2, 1, 0]);
  expect(await actions({ user: "ann" })).toEqual([5]);
  expect(await actions({ session: "b", extension: "jq", user: "owner" })).toEqual([3]);
  const first = await capabilities.list({ limit: 4 });
  const second = await capabilities.list({ limit: 4, cursor: first.nextCursor });
  expect([first.runs.length, second.runs.length, second.nextCursor]).toEqual([4, 2, null]);
  expect(first.runs[0]).toMatchObject({
    ...{ kind: "capability", extension: "jq", command: "jq", user: "ann", session: "b" },
    ...{ status: "failed", errorCode: "code.exit", durationMs: 12 },
  });
  await expect(capabilities.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "input.invalid" });
});

test.skipIf(isOnPostgres)(
  "every filter, and the quota, is answered by an index, whatever the length of the history",
  async () => {
    await using t = await openTestLedger();
    const plan = (sql: string) =>
      t
        .query(`explain query plan ${sql}`)
        .map(({ detail }) => detail)
        .join("; ");
    for (const column of ["extension", "session", "caller"]) {
      const sql = `select * from capabilities join runs on runs.id = run_id where ${column} = 'x' and run_id < 'y' order by run_id desc limit 5`;
      expect(plan(sql)).toContain(`capabilities_by_${column}`);
      expect(plan(sql)).not.toMatch(/SCAN|TEMP B-TREE/);
    }
    const use = `select count(*), sum(duration_ms) from capabilities where extension = 'x' and began_at > 'y' and began_at is not null`;
    expect(plan(use)).toContain("COVERING INDEX capabilities_by_use");
  },
);

test("a quota lets through as many calls as it has, and says when there is room again", async () => {
  let now = new Date("2026-05-01T10:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  const call = async (extension = "curl") => {
    const id = await beginCapabilityRun(t.ledger, { extension });
    const admission = await t.ledger.capabilities.admit(id, quota);
    await t.ledger.finish(id, { type: admission.admitted ? "run.succeeded" : "run.failed", data: { durationMs: 10 } });
    return admission;
  };
  for (let i = 0; i < 3; i++) {
    expect(await call()).toEqual({ admitted: true });
    now = new Date(now.getTime() + 60_000);
  }
  const refused = { admitted: false, quota: "callsPerHour", freeAt: "2026-05-01T11:00:00.000Z" };
  expect(await call()).toEqual(refused);
  // What was refused is no use, so that asking again does not push the end further away.
  expect(await call()).toEqual(refused);
  expect(await call("jq")).toEqual({ admitted: true });
  now = new Date("2026-05-01T11:00:00.000Z");
  expect(await call()).toEqual({ admitted: true });
});

test("where more was used than a narrower quota has, there is room when enough of it is an hour old", async () => {
  let now = new Date("2026-05-01T10:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  for (let i = 0; i < 3; i++) {
    const id = await beginCapabilityRun(t.ledger);
    await t.ledger.capabilities.admit(id, quota);
    await t.ledger.finish(id, { type: "run.succeeded", data: { durationMs: 20_000 } });
    now = new Date(now.getTime() + 60_000);
  }
  const ask = async (narrow: typeof quota) => t.ledger.capabilities.admit(await beginCapabilityRun(t.ledger), narrow);
  expect(await ask({ ...quota, callsPerHour: 2 })).toMatchObject({ freeAt: "2026-05-01T11:01:00.000Z" });
  expect(await ask({ callsPerHour: 9, secondsPerHour: 30 })).toEqual({
    ...{ admitted: false, quota: "secondsPerHour", freeAt: "2026-05-01T11:01:00.000Z" },
  });
  expect(await ask({ ...quota, callsPerHour: 0 })).toEqual({ admitted: false, quota: "callsPerHour", freeAt: null });
});

test("seconds count what was taken, and what calls under way have taken so far", async () => {
  let now = new Date("2026-05-01T10:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  const done = await beginCapabilityRun(t.ledger);
  await t.ledger.capabilities.admit(done, quota);
  await t.ledger.finish(done, { type: "run.succeeded", data: { durationMs: 60_000 } });
  const underWay = await beginCapabilityRun(t.ledger);
  await t.ledger.capabilities.admit(underWay, quota);
  now = new Date("2026-05-01T10:00:30.000Z");
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 2, seconds: 90 });
  now = new Date("2026-05-01T10:00:40.000Z");
  const next = await beginCapabilityRun(t.ledger);
  expect(await t.ledger.capabilities.admit(next, quota)).toMatchObject({ admitted: false, quota: "secondsPerHour" });
});

test("the time in which a call waits for an approval is nobody's use, and it counts in the hour in which it is done", async () => {
  let now = new Date("2026-05-01T10:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  const runId = await beginCapabilityRun(t.ledger);
  await t.ledger.capabilities.admit(runId, quota);
  const question = { runId, summary: "/x", risk: "high", requestedBy: "owner", wait: true } as const;
  const approval = await t.ledger.approvals.request(question);
  now = new Date("2026-05-01T10:30:00.000Z");
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 1, seconds: 0 });
  now = new Date("2026-05-02T10:00:00.000Z");
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 0 });
  await t.ledger.approvals.decide(approval.id, { approved: true, by: "ann" });
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 1, seconds: 0 });
});

test("however many ask at once, through several connections, no more get through than the quota has", async () => {
  await using t = await openTestLedger();
  const other = await openAt(t.home);
  const admissions = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const ledger = i % 2 ? t.ledger : other;
      return ledger.capabilities.admit(await beginCapabilityRun(ledger), quota);
    }),
  );
  await other.close();
  expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(3);
});

test.each([
  ["update capabilities set caller = 'somebody else'", /capabilities\.caller/],
  ["update capabilities set duration_ms = 1", /capabilities\.duration_ms/],
  ["delete from capabilities", /capabilities\./],
])("an audit finds: %s", async (statement, problem) => {
  await using t = await openTestLedger();
  const id = await beginCapabilityRun(t.ledger);
  await t.ledger.finish(id, { type: "run.succeeded", data: { durationMs: 7 } });
  expect((await t.ledger.verify()).ok).toBe(true);
  t.tamper(statement);
  expect(await t.ledger.verify()).toMatchObject({ ok: false, first: { problem: expect.stringMatching(problem) } });
});

test("a call of this process for which somebody is being asked uses no seconds until it is answered", async () => {
  let now = new Date("2026-05-01T10:00:00.000Z");
  await using t = await openTestLedger({ now: () => now });
  const runId = await beginCapabilityRun(t.ledger);
  await t.ledger.capabilities.admit(runId, quota);
  const question = { runId, summary: "/curl get", risk: "high", requestedBy: "owner" } as const;
  const { id } = await t.ledger.approvals.request(question);
  now = new Date("2026-05-01T10:50:00.000Z");
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 1, seconds: 0 });
  await t.ledger.approvals.decide(id, { approved: true, by: "owner" });
  now = new Date("2026-05-01T10:50:10.000Z");
  expect(await t.ledger.capabilities.use("curl")).toMatchObject({ calls: 1, seconds: 10 });
});
