import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const missing = (why: string, reason: string) => ({
  code: "session.not_found",
  message: expect.stringContaining(why),
  data: expect.objectContaining({ reason }),
});

describe("the ledger", () => {
  it("counts sessions and steps beyond the process that held them", async () => {
    const session = await test.dock.sessions.open();
    await session.exec("sum(range(100_000))");
    await session.exec("1 / 0");
    await session.exec("1", { look: true });
    const [fork] = await session.fork(1);
    await fork?.exec("1");
    expect(await test.dock.sessions.totals()).toMatchObject({
      live: 2,
      opened: 2,
      closedIdle: 0,
      steps: 3,
      failedSteps: 1,
    });
    const { cpuMs } = await test.dock.sessions.totals();
    expect(cpuMs).toBeGreaterThan(0);
    await test.reopen();
    expect(await test.dock.sessions.totals()).toEqual({
      live: 0,
      opened: 2,
      closedIdle: 0,
      steps: 3,
      failedSteps: 1,
      cpuMs,
    });
  });

  it("knows why a session ended, in later processes too", async () => {
    const [closed, ended, left] = await Promise.all([1, 2, 3].map(() => test.dock.sessions.open()));
    const ids = [closed, ended, left].map((session) => session?.id ?? "");
    await closed?.close();
    await ended?.exec("import os, signal; os.kill(os.getppid(), 9); os.kill(os.getpid(), 9)", { unsafe: true });
    await expect(test.dock.sessions.find(ids[0] ?? "")).rejects.toMatchObject(
      missing("its user closed it at 20", "closed"),
    );
    await test.reopen();
    const reasons = [
      missing("its user closed it at 20", "closed"),
      missing("its interpreter ended at 20", "ended"),
      missing("together with the Drydock process that held it", "dock"),
    ];
    for (const [at, reason] of reasons.entries())
      await expect(test.dock.sessions.find(ids[at] ?? "")).rejects.toMatchObject(reason);
    await expect(test.dock.sessions.find("ses_never")).rejects.toMatchObject({
      message: "There is no session ses_never.",
    });
  });
});
