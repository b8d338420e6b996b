import { expect, it } from "vitest";
import { isAlive, openSupervision } from "../testing/supervise.ts";

const { supervise, plugin, run } = openSupervision();

it("gives the last place to one of two, and keeps the process for that one until its run begins", async () => {
  const { supervisor, acquire, lease, pids } = supervise({ maxProcesses: 1 });
  await acquire(plugin("first"));
  const { process, release } = await lease(plugin("first"));
  await expect(acquire(plugin("second"))).rejects.toMatchObject({ code: "runner.unavailable" });
  await run(process, "message-only hi");
  expect(supervisor.list()).toMatchObject([{ plugin: "drydock-test/first", state: "ready" }]);
  release();
  await acquire(plugin("second"));
  await expect.poll(() => isAlive(pids[0])).toBe(false);
});

it("lets nobody in between a start and those who have waited for it", async () => {
  const { acquire, lease } = supervise({ maxProcesses: 1 });
  const leases = [lease(plugin("first")), lease(plugin("first"))] as const;
  const late = Promise.race(leases).then(() => acquire(plugin("second")));
  await expect(late).rejects.toMatchObject({ code: "runner.unavailable" });
  const [one, other] = await Promise.all(leases);
  expect(one.process).toBe(other.process);
  one.release();
  await run(other.process, "message-only hi");
});

it("a process that was given to somebody and whose plugin has changed stays until their run is over", async () => {
  const { acquire, lease, pids } = supervise();
  const { process, release } = await lease(plugin("changed"));
  await acquire(plugin("changed", "2"));
  await run(process, "message-only hi");
  release();
  await expect.poll(() => isAlive(pids[0])).toBe(false);
});

it("a process that is always busy gets no new runs when many of its runs do not return", async () => {
  const { acquire, pids } = supervise({ returnMs: 20 });
  const busy = plugin("busy");
  const process = await acquire(busy);
  const stop = new AbortController();
  const working = run(process, "wait", stop.signal);
  const hang = () => {
    const over = new AbortController();
    const hanging = run(process, "wait", undefined, over.signal).catch(() => "lost");
    over.abort();
    return hanging;
  };
  const lost = Array.from({ length: 15 }, hang);
  await expect.poll(() => process.hungRuns).toBe(15);
  expect(await acquire(busy)).toBe(process);
  lost.push(hang());
  await expect.poll(() => process.hungRuns).toBe(16);
  const fresh = await acquire(busy);
  expect(fresh).not.toBe(process);
  await run(fresh, "message-only hi");
  stop.abort();
  await working;
  expect(await Promise.all(lost)).toEqual(Array.from({ length: 16 }, () => "lost"));
  expect(isAlive(pids[0])).toBe(false);
});
