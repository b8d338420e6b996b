import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EffectivePolicy, KERNEL_LIMITS, LIMITS } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { describeLimits } from "./describe-work.ts";
import { policy } from "./failures/testing/ending-row.ts";
import { KERNEL_DIRECTORY, MEMBER_LIMITS } from "./start-fork-server-early.ts";

describe("the limits of a request", () => {
  it("are sent in the units of the kernel part", () => {
    const limits = { ...policy.limits, outputMb: 0.3, wallSeconds: 0.5 };
    expect(describeLimits({ ...policy, limits })).toMatchObject({
      wallSeconds: 0.5,
      cpuSeconds: 20,
      memoryBytes: 512 * 1024 * 1024,
      outputBytes: 314_572,
      openFiles: 128,
    });
  });

  it("are those that waiting members are built for, where a policy says nothing", () => {
    for (const { key, sentAs, kernelFactor } of KERNEL_LIMITS) {
      const built = Reflect.get(MEMBER_LIMITS, sentAs) ?? LIMITS[key].default * kernelFactor;
      expect([sentAs, built]).toEqual([sentAs, LIMITS[key].default * kernelFactor]);
    }
    const server = readFileSync(join(KERNEL_DIRECTORY, "attend/server.py"), "utf8");
    expect(server).toContain(`DEFAULT_PROCESSES = ${MEMBER_LIMITS.processes}\n`);
  });
});

it("reads the policy of a run that was recorded before a limit existed", () => {
  const { wallSeconds, cpuSeconds, memoryMb, processes, outputMb, diskMb, openFiles, concurrency } = policy.limits;
  const first = { wallSeconds, cpuSeconds, memoryMb, processes, outputMb, diskMb, openFiles, concurrency };
  expect(EffectivePolicy.parse({ ...policy, limits: first }).limits).toEqual(policy.limits);
});
