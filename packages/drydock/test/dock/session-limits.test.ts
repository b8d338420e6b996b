import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock({ policy: "version: 1\nsessions: { tasks: 5, live: 4, idleSeconds: 3600 }" });

describe("the number of steps", () => {
  it("is limited, failed ones counted", async () => {
    const session = await test.dock.sessions.open({ policy: { sessions: { tasks: 3 } } });
    await session.exec("1");
    await session.exec("1/0");
    expect(session.stats()).toMatchObject({ steps: 2, tasksLeft: 1 });
    await session.exec("1");
    await expect(session.exec("1")).rejects.toMatchObject({ code: "session.task_limit" });
    expect(await test.dock.exec({ session: session.id, code: "1" })).toMatchObject({
      ok: false,
      error: { code: "session.task_limit" },
    });
    await session.close();
  });
});

describe("the number of live sessions", () => {
  it("is limited, and closing makes room", async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => test.dock.sessions.open()));
    await expect(test.dock.sessions.open()).rejects.toMatchObject({ code: "session.limit" });
    expect(
      test.dock.sessions
        .list()
        .map((info) => info.sessionId)
        .sort(),
    ).toEqual(sessions.map(({ id }) => id).sort());
    await sessions[0]?.close();
    const next = await test.dock.sessions.open();
    expect(await test.dock.sessions.totals()).toMatchObject({ live: 4 });
    await Promise.all([next, ...sessions].map((session) => session.close()));
    expect(await test.dock.sessions.totals()).toMatchObject({ live: 0 });
    expect(test.dock.sessions.list()).toEqual([]);
  });

  it("is limited even when all are asked for at once", async () => {
    const request = await Promise.allSettled(Array.from({ length: 7 }, () => test.dock.sessions.open()));
    expect(request.filter((one) => one.status === "fulfilled").length).toBe(4);
    for (const one of request) if (one.status === "fulfilled") await one.value.close();
  });
});

describe("a session that nobody uses", () => {
  it("is closed after its time, and says so when it is used again", async () => {
    const before = (await test.dock.sessions.totals()).closedIdle;
    const session = await test.dock.sessions.open({ policy: { sessions: { idleSeconds: 0.3 } } });
    await session.exec("x = 1");
    expect(await eventually(() => test.dock.sessions.list().length === 0)).toBe(true);
    const why = { code: "session.not_found", message: expect.stringContaining("nobody had used it for 0.3 s") };
    await expect(session.exec("x")).rejects.toMatchObject(why);
    await expect(test.dock.sessions.find(session.id)).rejects.toMatchObject({ ...why, data: { reason: "idle" } });
    expect((await test.dock.exec({ session: session.id, code: "x" })).error).toMatchObject(why);
    expect((await test.dock.sessions.totals()).closedIdle).toBe(before + 1);
    expect(() => test.dock.sessions.get(session.id)).toThrowError(
      expect.objectContaining({ code: "session.not_found" }),
    );
  });

  it("is not closed in the middle of a step that takes longer", async () => {
    const session = await test.dock.sessions.open({ policy: { sessions: { idleSeconds: 0.2 } } });
    expect(await session.exec("import time\ntime.sleep(0.6)\n7")).toMatchObject({ ok: true, result: 7 });
    await session.close();
  });
});

describe("closing", () => {
  it("ends what the session left running, and a step that is under way", async () => {
    const session = await test.dock.sessions.open();
    const marker = `8642.${process.pid}`;
    await session.exec(`import subprocess\np = subprocess.Popen(['sleep', '${marker}'])`);
    expect(await eventually(() => processesWith(marker).length === 1)).toBe(true);
    const received = Promise.withResolvers<void>();
    const step = session.exec("print('up')\nimport time\ntime.sleep(40)", { onOutput: () => received.resolve() });
    await received.promise;
    await session.close();
    expect(await step).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    expect(await eventually(() => processesWith(marker).length === 0)).toBe(true);
    await session.close();
  });

  it("keeps background processes of a step alive until then", async () => {
    const session = await test.dock.sessions.open();
    await session.exec("import os, subprocess\np = subprocess.Popen(['sleep', '50'])");
    expect((await session.exec("' S ' in open('/proc/%d/stat' % p.pid).read()")).result).toBe(true);
    await session.exec("1/0");
    expect((await session.exec("' S ' in open('/proc/%d/stat' % p.pid).read()")).result).toBe(true);
    await session.close();
  });
});

describe("a session on a directory that somebody changes", () => {
  it("notes it in each step from then on, and does not see it as its own doing", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a", "b.txt": "b" });
    const session = await test.dock.sessions.open({ workspace });
    expect((await session.exec("open('own.txt', 'w').write('x')")).notes).toEqual([]);
    writeFileSync(join(workspace, "b.txt"), "changed outside");
    const second = await session.exec("1");
    expect(second.notes.join()).toContain("b.txt");
    expect(second.changes).toEqual([{ path: "own.txt", kind: "added" }]);
    const third = await session.exec("2");
    expect(third.notes.join()).toContain("b.txt");
    await session.close();
  });
});

describe("statistics", () => {
  it("tell of each session and of all", async () => {
    const before = await test.dock.sessions.totals();
    const workspace = test.makeWorkspace({});
    const session = await test.dock.sessions.open({ workspace });
    await session.exec("x = bytearray(30 << 20)\nsum(range(10 ** 6))");
    await session.exec("1/0");
    const stats = session.stats();
    expect(stats).toMatchObject({ language: "python", workspace, steps: 2, tasksLeft: 3, kept: [0, 1] });
    expect(stats.memoryBytes).toBeGreaterThan(30 << 20);
    expect(stats.cpuMs).toBeGreaterThan(0);
    expect(Date.parse(stats.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(stats.createdAt));
    const after = await test.dock.sessions.totals();
    expect([after.opened - before.opened, after.steps - before.steps, after.failedSteps - before.failedSteps]).toEqual([
      1, 2, 1,
    ]);
    await session.close();
  });
});

describe("a Node session", () => {
  it("keeps state, goes on after an exception, and keeps no states", async () => {
    const session = await test.dock.sessions.open({ language: "node" });
    expect(await session.exec("let x = 1; function f(n) { return n + x }")).toMatchObject({ ok: true });
    expect(await session.exec("x += 1; f(40)")).toMatchObject({ ok: true, result: 42 });
    const failed = await session.exec("throw new TypeError('no')");
    expect(failed.error).toMatchObject({ code: "code.exception" });
    expect(failed.stderr).toContain("TypeError: no");
    expect((await session.exec("x")).result).toBe(2);
    expect(session.stats().kept).toEqual([]);
    await session.close();
  });

  it("gives each step its own output, all of it", async () => {
    const session = await test.dock.sessions.open({ language: "node" });
    const loud = await session.exec("for (let i = 0; i < 3000; i++) console.log('x'.repeat(99)); 'done'");
    expect(loud.stdout.length).toBe(300_000);
    expect((await session.exec("console.log('two')")).stdout).toBe("two\n");
    await session.close();
  });

  it("ends with the step that ends it, and says so", async () => {
    const session = await test.dock.sessions.open({ language: "node" });
    const last = await session.exec("process.exit(4)");
    expect(last.error).toMatchObject({ code: "code.exit", exitCode: 4 });
    expect(last.notes.join()).toContain("ended");
    await expect(session.exec("1")).rejects.toMatchObject({ code: "session.not_found" });
    const slow = await test.dock.sessions.open({ language: "node" });
    const policy = { limits: { wallSeconds: 0.5 } };
    expect((await slow.exec("while (true) {}", { policy })).error).toMatchObject({ code: "limit.timeout" });
    await expect(slow.exec("1")).rejects.toMatchObject({ code: "session.not_found" });
  });
});
