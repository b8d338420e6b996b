import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../../src/app/config.ts";
import { claimPlace } from "../../src/app/run-place.ts";
import { processesWith } from "../../src/base/testing/processes.ts";
import { makeTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { createFleet } from "../../src/sandbox/members/fleet.ts";
import { startForkServer } from "../../src/sandbox/members/fork-server.ts";
import type { Member } from "../../src/sandbox/members/member.ts";
import { createPool } from "../../src/sandbox/members/pool.ts";
import { KERNEL_DIRECTORY, MEMBER_LIMITS } from "../../src/sandbox/start-fork-server-early.ts";

function describePlace() {
  const home = join(makeTemporaryDirectory(), "home");
  mkdirSync(home, { mode: 0o700 });
  const place = claimPlace(readConfig(), home, undefined);
  onTestFinished(() => rmSync(place.directory, { recursive: true, force: true }));
  return { ...place, ...MEMBER_LIMITS, kernel: KERNEL_DIRECTORY, warm: 0, isIdle: () => false };
}

it("a fork server whose end is told late is replaced, and nobody hears of it", async () => {
  const options = describePlace();
  const fleet = createFleet(options);
  onTestFinished(() => fleet.close());
  (await fleet.take("python")).member.close();
  const [pid = 0] = fleet.processIds();
  // Nobody gets through to it any more, as where it has just ended; that it has is known only later.
  for (const name of readdirSync(join(options.directory, "s1")).filter((each) => each.endsWith(".sock")))
    rmSync(join(options.directory, "s1", name));
  setTimeout(() => process.kill(pid, "SIGKILL"), 300);
  const { member } = await fleet.take("python");
  expect(member.alive).toBe(true);
  expect(fleet.processIds()).not.toEqual([pid]);
  member.close();
});

it("a start that somebody else began, and that was ended from outside, is made once more", async () => {
  const options = describePlace();
  const fleet = createFleet(options);
  onTestFinished(() => fleet.close());
  const first = fleet.take("python");
  const second = fleet.take("python");
  for (const pid of processesWith(join(options.directory, "s1"))) process.kill(pid, "SIGKILL");
  await expect(first).rejects.toMatchObject({ code: "sandbox.unavailable" });
  const { member } = await second;
  expect(member.alive).toBe(true);
  member.close();
});

it("whoever waits for a new member gets one, also where it went to another whose own was on its way back", async () => {
  const options = describePlace();
  const directory = join(options.directory, "s1");
  mkdirSync(directory, { mode: 0o700 });
  const server = await startForkServer({ ...options, directory, preload: [], hasty: null });
  onTestFinished(() => server.stop());
  const used = await server.spawn("python");
  const built = [await server.spawn("python"), await server.spawn("python")];
  const wanted: ((member: Member) => void)[] = [];
  const spawn = () => new Promise<Member>((resolve) => wanted.push(resolve));
  const pool = createPool({ ...server, alive: true, spawn }, "python", { size: 4, isIdle: () => false });
  onTestFinished(() => pool.close());
  // That a member is late is not what helps here.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const back = Promise.withResolvers<boolean>();
  pool.giveBack(Object.assign(Object.create(used), { again: () => back.promise }), "owner");
  // The first waits for what comes back, the second for what is built; the first gets that, as it was there before.
  const took: number[] = [];
  for (const [index, use] of ["owner", undefined].entries()) void pool.take(use).then(() => took.push(index));
  wanted.shift()?.(built[0] as Member);
  await turn();
  back.resolve(true);
  await turn();
  expect({ took, waiting: pool.waiting }).toEqual({ took: [0], waiting: 1 });
  wanted.shift()?.(built[1] as Member);
  await turn();
  expect(took).toEqual([0, 1]);
});
