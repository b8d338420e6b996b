import { expect, test } from "vitest";
import { readOwner } from "../owner.ts";
import { openAt, openTestLedger } from "../testing/open-test-ledger.ts";

const SESSION = { id: "ses_1", language: "python", idleSeconds: 0.5 };

test("a session is found with its end, which is written once", async () => {
  await using t = await openTestLedger();
  const { sessions } = t.ledger;
  await sessions.open(SESSION);
  const pid = process.pid;
  expect(await sessions.find("ses_1")).toMatchObject({
    ...SESSION,
    closedAt: null,
    reason: null,
    holder: { pid, isAlive: true },
  });
  await sessions.close("ses_1", "idle");
  await sessions.close("ses_1", "dock");
  expect(await sessions.find("ses_1")).toMatchObject({ reason: "idle", closedAt: expect.stringMatching(/^20/) });
  expect(await sessions.find("ses_2")).toBeNull();
});

test("a session whose process is gone says so", async () => {
  await using t = await openTestLedger({ owner: { ...readOwner(), startTime: "1" } });
  await t.ledger.sessions.open(SESSION);
  expect(await t.ledger.sessions.find("ses_1")).toMatchObject({ closedAt: null, holder: { isAlive: false } });
});

test("a session says on which machine it is, where that is another one", async () => {
  await using t = await openTestLedger({ owner: { pid: 7, startTime: "1", host: "far|boot|pid:[1]" } });
  await t.ledger.sessions.open(SESSION);
  const here = await openAt(t.home);
  expect((await here.sessions.find("ses_1"))?.holder).toMatchObject({ pid: 7, machine: "far" });
  expect((await t.ledger.sessions.find("ses_1"))?.holder.machine).toBeNull();
  await here.close();
});

test("steps are counted with the end of their runs, or not at all, and outlive the runs", async () => {
  await using t = await openTestLedger();
  const { ledger } = t;
  await ledger.sessions.open(SESSION);
  await ledger.sessions.open({ ...SESSION, id: "ses_2" });
  for (const ok of [true, false]) {
    const { id } = await ledger.createRun({ kind: "session", title: "step", sessionId: "ses_1", data: {} });
    const count = await ledger.sessions.countStep("ses_1", { ok, cpuMs: 3.4 });
    const terminal = { type: ok ? "run.succeeded" : "run.failed", data: {} } as const;
    await ledger.finish(id, terminal, [], [count]);
    await expect(ledger.finish(id, { type: "run.cancelled", data: {} }, [], [count])).rejects.toThrow();
  }
  const figures = { opened: 2, closedIdle: 0, steps: 2, failedSteps: 1, cpuMs: 6 };
  expect(await ledger.sessions.figures()).toEqual(figures);
  await ledger.cut({ before: new Date(Date.now() + 60_000) });
  expect(await ledger.sessions.figures()).toEqual(figures);
});
