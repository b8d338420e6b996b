import { setTimeout as sleep } from "node:timers/promises";
import type { ExecOptions } from "drydock";
import { describe, expect, it } from "vitest";
import { type ExecResult, openTestDock } from "../testing/test-dock.ts";

/** Where there are control groups; elsewhere every run has a slot of its own. */
const isRoot = process.getuid?.() === 0;
const test = openTestDock({ warm: 8 });

/** When the slot was built, and its mounts: no two slots have both in common. */
const CODE = `import os; print(os.stat("/home/dock").st_ctime_ns, os.readlink("/proc/self/ns/mnt"))`;
const slotOf = ({ stdout }: ExecResult) => stdout.trim();

/** Runs in turns; each slot is there again by the time of the next turn. */
async function visitInTurns(turns: number, ...each: Partial<ExecOptions>[]): Promise<ExecResult[][]> {
  const visits: ExecResult[][] = each.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, options] of each.entries()) {
      visits[index]?.push(await test.python(CODE, options));
      await sleep(60);
    }
  }
  for (const { error } of visits.flat()) expect(error).toBe(null);
  return visits;
}

describe("a sandbox that a run left untouched", { timeout: 60_000 }, () => {
  it("is used by the next run, and the result says so", async () => {
    const [visits = []] = await visitInTurns(5, {});
    expect(visits.some(({ sandbox }) => sandbox.reused)).toBe(isRoot);
    for (const [index, visit] of visits.entries()) {
      const isKnown = visits.slice(0, index).some((earlier) => slotOf(earlier) === slotOf(visit));
      if (isKnown) expect(visit.sandbox.reused).toBe(true);
    }
  });

  it("is nobody's under another policy, nor with a workspace, nor where the policy forbids it", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "a" });
    const [usual = [], ...others] = await visitInTurns(
      4,
      {},
      { policy: { limits: { wallSeconds: 7 } } },
      { policy: { python: { guard: "off" } } },
      { policy: { environment: { allow: [] } } },
      { policy: { sandbox: { reuse: false } } },
      { workspace },
    );
    const slots = [usual, ...others].map((visits) => new Set(visits.map(slotOf)));
    for (const [index, own] of slots.entries()) {
      for (const other of slots.slice(index + 1)) expect([...own].filter((slot) => other.has(slot))).toEqual([]);
    }
    expect(usual.some(({ sandbox }) => sandbox.reused)).toBe(isRoot);
    const [, , , forbidden = [], withWorkspace = []] = others;
    for (const visits of [forbidden, withWorkspace]) {
      expect(new Set(visits.map(slotOf)).size).toBe(4);
      for (const { sandbox } of visits) expect(sandbox.reused).toBe(undefined);
    }
  });

  it("is nobody else's: callers of one dock have slots of their own", async () => {
    const callers = await visitInTurns(4, { caller: "a" }, { caller: "b" }, {});
    const slots = callers.map((visits) => new Set(visits.map(slotOf)));
    for (const [index, own] of slots.entries()) {
      for (const other of slots.slice(index + 1)) expect([...own].filter((slot) => other.has(slot))).toEqual([]);
    }
    for (const visits of callers) expect(visits.some(({ sandbox }) => sandbox.reused)).toBe(isRoot);
  });

  it("has limits and counts of each run by itself", async () => {
    const runs: ExecResult[] = [];
    for (const code of ["x = bytearray(90_000_000)", "for x in range(3_000_000): pass", "print(1)"]) {
      runs.push(await test.python(code));
      await sleep(100);
    }
    const [large, long, small] = runs.map(({ usage }) => usage);
    expect(large?.peakMemoryBytes).toBeGreaterThan(80_000_000);
    expect(long?.cpuMs).toBeGreaterThan(small?.cpuMs ?? 0);
    expect(small?.peakMemoryBytes).toBeLessThan(40_000_000);
    const late = await test.python("while True: pass", { policy: { limits: { wallSeconds: 1 } } });
    expect(late.error?.code).toBe("limit.timeout");
    expect(await test.python("print(1)")).toMatchObject({ ok: true, stdout: "1\n" });
  });

  it("is no other for bash, which leaves none behind either", async () => {
    for (let visit = 0; visit < 4; visit++) {
      expect(await test.bash("echo $$; ls -A /tmp /work")).toMatchObject({ ok: true, stdout: "2\n/tmp:\n\n/work:\n" });
      await sleep(60);
    }
  });

  it("serves many at once, each with its own output", async () => {
    const codes = Array.from({ length: 60 }, (_, index) => `print(${index} * 1000)`);
    const results = await Promise.all(codes.map((code) => test.python(code)));
    expect(results.map(({ stdout }) => Number(stdout))).toEqual(codes.map((_, index) => index * 1000));
  });
});
