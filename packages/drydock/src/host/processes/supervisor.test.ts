import { describe, expect, it } from "vitest";
import { isAlive, openSupervision } from "../testing/supervise.ts";

const { supervise, plugin, run } = openSupervision();

describe("the supervisor", () => {
  it("starts a process once for all who need it at the same time", async () => {
    const { acquire, pids, supervisor } = supervise();
    const all = await Promise.all([1, 2, 3].map(() => acquire(plugin("once"))));
    expect(new Set(all).size).toBe(1);
    expect(pids).toHaveLength(1);
    expect(supervisor.list()).toMatchObject([{ plugin: "drydock-test/once", state: "ready", openRuns: 0 }]);
  });

  it.each([
    ["mute", 'did not answer "initialize" within 0.3 s'],
    ["exit", "ended with 5"],
    ["garbage", "not a JSON-RPC message"],
  ])("gives up on one that begins badly, leaves nothing behind, and says why: %s", async (start, reason) => {
    const { acquire, pids } = supervise({ startMs: start === "mute" ? 300 : 20_000, start: () => start });
    await expect(acquire(plugin("bad"))).rejects.toMatchObject({
      code: "runner.unavailable",
      message: expect.stringContaining(reason),
    });
    expect(isAlive(pids[0])).toBe(false);
  });

  it("keeps a process while plugins can't be looked up", async () => {
    let lookups = 0;
    const findPlugin = async () => {
      lookups++;
      throw new Error("config.yaml is not valid");
    };
    const { acquire, supervisor } = supervise({ heartbeatMs: 200, findPlugin });
    const before = await acquire(plugin("kept"));
    supervisor.refresh();
    await expect.poll(() => lookups).toBeGreaterThan(3);
    expect(await acquire(plugin("kept"))).toBe(before);
  });

  it("does not use a runner that claims to be of another plugin", async () => {
    const { acquire, warnings } = supervise({ start: () => "lie" });
    expect((await acquire(plugin("liar"))).runners).toEqual([]);
    expect(warnings.join()).toContain("runner 1 is not valid");
  });

  it("warns once for a start, however many of its runners can't be used", async () => {
    const runners = Array.from({ length: 99 }, (_, index) => ({ runner_name: `wrong-${index}` }));
    const { acquire, warnings } = supervise({
      openLink: () => (sides) => {
        const end = Promise.withResolvers<string>();
        const answer = (id: unknown) => ({ jsonrpc: "2.0", id, result: { protocol_version: "1", runners } });
        return {
          send(text) {
            const { id, method } = JSON.parse(text);
            if (method === "initialize") setImmediate(() => sides.onText(`${JSON.stringify(answer(id))}\n`, false));
            return true;
          },
          ...{ finish: () => end.resolve("gone"), abort: () => end.resolve("gone"), ended: end.promise },
        };
      },
    });
    await acquire(plugin("loud"));
    expect(warnings).toEqual([expect.stringMatching(/runner 1 is not valid.*98 more/)]);
  });

  it("waits longer before each start of one that keeps failing, and refuses where that is too long", async () => {
    let nowMs = 0;
    const { acquire, pids } = supervise({ start: () => "exit", now: () => nowMs, firstDelayMs: 4000 });
    const bad = plugin("bad");
    const fail = async () => ((await acquire(bad).catch((error) => error)) as { data: { retryInMs: number } }).data;
    expect(await fail()).toMatchObject({ retryInMs: 4000 });
    nowMs += 4000;
    expect(await fail()).toMatchObject({ retryInMs: 8000 });
    // Not started: the delay is longer than anybody waits.
    expect(await fail()).toMatchObject({ retryInMs: 8000 });
    expect(pids).toHaveLength(2);
    // A changed plugin begins anew.
    await expect(acquire(plugin("bad", "2"))).rejects.toMatchObject({ data: { retryInMs: 4000 } });
  });

  it("one that crashes costs its own runs only, and the next run waits for the next process", async () => {
    const { supervisor, acquire, pids } = supervise({ firstDelayMs: 50 });
    const [bad, good] = [plugin("bad"), plugin("good")];
    const other = run(await acquire(good), "message-only hi");
    await expect(run(await acquire(bad), "crash")).rejects.toMatchObject({ code: "runner.channel_lost" });
    await other;
    const again = await acquire(bad);
    await run(again, "message-only hi");
    supervisor.confirm(again);
    expect(pids).toHaveLength(3);
  });

  it("ends one that does not answer any more, and its runs with it", async () => {
    const { acquire, warnings, pids } = supervise({ heartbeatMs: 150, start: () => "deaf" });
    const process = await acquire(plugin("deaf"));
    await expect(run(process, "hang")).rejects.toMatchObject({
      code: "runner.channel_lost",
      message: expect.stringContaining('did not answer "ping"'),
    });
    expect(warnings.join()).toContain("does not answer");
    await expect.poll(() => isAlive(pids[0])).toBe(false);
  });

  it("stops one that nobody uses, and not one that has a run", async () => {
    let nowMs = 0;
    const { supervisor, acquire, pids } = supervise({ heartbeatMs: 300, idleMs: 1000, now: () => nowMs });
    const process = await acquire(plugin("idle"));
    const stop = new AbortController();
    const waiting = run(process, "wait", stop.signal);
    nowMs += 5000;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(supervisor.list()).toMatchObject([{ state: "ready", openRuns: 1 }]);
    stop.abort();
    await waiting;
    nowMs += 5000;
    await expect.poll(() => supervisor.list()).toEqual([]);
    await expect.poll(() => isAlive(pids[0])).toBe(false);
  });

  it("replaces a process whose plugin has changed, and lets the runs of the old one end", async () => {
    const { acquire, pids } = supervise();
    const old = await acquire(plugin("changed"));
    const stop = new AbortController();
    const waiting = run(old, "wait", stop.signal);
    const fresh = await acquire(plugin("changed", "2"));
    expect(fresh).not.toBe(old);
    await run(fresh, "message-only hi");
    expect(isAlive(pids[0])).toBe(true);
    stop.abort();
    await waiting;
    await expect.poll(() => isAlive(pids[0])).toBe(false);
  });

  it("ends a process with runs that has to go after a while only where the next one can't begin before", async () => {
    const { acquire, pids } = supervise({ graceMs: 50 });
    const stop = new AbortController();
    const waiting = run(await acquire(plugin("shared")), "wait", stop.signal);
    await acquire(plugin("shared", "2"));
    const own = (fingerprint: string) => ({ ...plugin("own", fingerprint), isExclusive: true });
    const lost = run(await acquire(own("1")), "wait").catch(() => "lost");
    await acquire(own("2"));
    expect(await lost).toBe("lost");
    expect(isAlive(pids[0])).toBe(true);
    stop.abort();
    await waiting;
    await expect.poll(() => isAlive(pids[0])).toBe(false);
  });

  it("lets the process of a plugin go that was removed", async () => {
    const { supervisor, acquire, current, pids } = supervise();
    await acquire(plugin("removed"));
    current.clear();
    supervisor.refresh();
    await expect.poll(() => isAlive(pids[0])).toBe(false);
    expect(supervisor.list()).toEqual([]);
  });

  it("gives no new runs to a process that has written as much as it may", async () => {
    const { acquire, pids } = supervise({ lifeChars: 5000 });
    await run(await acquire(plugin("wordy")), `message-only ${"x".repeat(6000)}`);
    await acquire(plugin("wordy"));
    expect(pids).toHaveLength(2);
  });

  it("has a bounded number of processes: one that is idle makes room, and a busy one does not", async () => {
    const { supervisor, acquire } = supervise({ maxProcesses: 2 });
    const stop = new AbortController();
    const first = run(await acquire(plugin("first")), "wait", stop.signal);
    await acquire(plugin("second"));
    const third = run(await acquire(plugin("third")), "wait", stop.signal);
    expect(supervisor.list().map(({ plugin: id }) => id)).toEqual(["drydock-test/first", "drydock-test/third"]);
    await expect(acquire(plugin("fourth"))).rejects.toMatchObject({ code: "runner.unavailable" });
    stop.abort();
    await Promise.all([first, third]);
  });

  it("a run that has ended and does not return keeps a process neither busy nor in use", async () => {
    let nowMs = 0;
    const { supervisor, acquire, pids } = supervise({ returnMs: 50, now: () => nowMs });
    const process = await acquire(plugin("hung"));
    const over = new AbortController();
    const hanging = run(process, "wait", undefined, over.signal).catch(() => "lost");
    over.abort();
    expect(supervisor.list()).toMatchObject([{ openRuns: 1 }]);
    await expect.poll(() => supervisor.list()).toMatchObject([{ openRuns: 0 }]);
    expect(process.hungRuns).toBe(1);
    nowMs += 1000;
    const fresh = await acquire(plugin("hung"));
    expect(fresh).not.toBe(process);
    await expect.poll(() => isAlive(pids[0]), { timeout: 5000 }).toBe(false);
    await hanging;
    await run(fresh, "message-only hi", undefined, AbortSignal.abort());
    expect([fresh.openRuns, fresh.hungRuns]).toEqual([0, 0]);
  });

  it("closes with all of its processes, also those that do not go by themselves", async () => {
    const { supervisor, acquire, pids } = supervise();
    const run1 = run(await acquire(plugin("stubborn")), "busy").catch(() => {});
    await supervisor.close();
    await run1;
    expect(pids.map(isAlive)).toEqual([false]);
    await expect(acquire(plugin("stubborn"))).rejects.toMatchObject({ code: "runner.unavailable" });
  });
});
