import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExecOptions } from "drydock";
import { afterAll } from "vitest";
import { type ExecResult, openTestDock, type TestDock } from "./test-dock.ts";

type Limits = NonNullable<NonNullable<ExecOptions["policy"]>["limits"]>;

/** Tight, so that what runs until a limit ends it does not keep the other tests waiting. */
const LIMITS: Limits = { wallSeconds: 10, memoryMb: 256, diskMb: 32, outputMb: 1, processes: 32, openFiles: 128 };

export interface AttackDock extends Pick<TestDock, "dock" | "makeWorkspace"> {
  /** The only copy of this text lies on the host: whoever prints it has read what is not theirs. */
  readonly canary: string;
  /** A private directory on the host; it holds `canary.txt`. */
  readonly host: string;
  /** Runs hostile code with the guard off: what stops it is the kernel. */
  attack(code: string, options?: Partial<ExecOptions> & { limits?: Limits }): Promise<ExecResult>;
}

/** One dock for all the attacks of a file, on a host with secrets lying around. */
export function openAttackDock(policy?: string): AttackDock {
  const canary = `canary-${randomBytes(12).toString("hex")}`;
  const test = openTestDock({
    policy,
    prepare() {
      writeFileSync(join(test.directory, "canary.txt"), canary);
      process.env.SECRET_CANARY = canary;
    },
  });
  afterAll(() => {
    delete process.env.SECRET_CANARY;
  });
  return {
    get dock() {
      return test.dock;
    },
    canary,
    host: test.directory,
    attack: (code, { limits, policy, ...options } = {}) =>
      test.python(code, { unsafe: true, policy: { ...policy, limits: { ...LIMITS, ...limits } }, ...options }),
    makeWorkspace: test.makeWorkspace,
  };
}

/** Everything a run gave back, as one text to search. */
export function saidBy(result: ExecResult): string {
  return JSON.stringify(result);
}
