import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock, type Dock, type ExecOptions } from "drydock";
import { afterAll, beforeAll } from "vitest";

type ExecResult = Awaited<ReturnType<Dock["exec"]>>;
type Limits = NonNullable<NonNullable<ExecOptions["policy"]>["limits"]>;

/** Tight, so that what runs until a limit ends it does not keep the other tests waiting. */
const LIMITS: Limits = { wallSeconds: 10, memoryMb: 256, diskMb: 32, outputMb: 1, processes: 32, openFiles: 128 };

export interface AttackDock {
  readonly dock: Dock;
  /** The only copy of this text lies on the host: whoever prints it has read what is not theirs. */
  readonly canary: string;
  /** A private directory on the host; it holds `canary.txt`. */
  readonly host: string;
  /** Runs hostile code with the guard off: what stops it is the kernel. */
  attack(code: string, options?: Partial<ExecOptions> & { limits?: Limits }): Promise<ExecResult>;
  /** A directory on the host, with the files that are named. */
  makeWorkspace(files: Record<string, string>): string;
}

/** One dock for all the attacks of a file, on a host with secrets lying around. */
export function openAttackDock(homePolicy?: string): AttackDock {
  let dock: Dock | undefined;
  const canary = `canary-${randomBytes(12).toString("hex")}`;
  const host = mkdtempSync(join(tmpdir(), "drydock-attacks-"));
  const home = join(host, "home");

  beforeAll(async () => {
    writeFileSync(join(host, "canary.txt"), canary);
    process.env.SECRET_CANARY = canary;
    mkdirSync(home, { mode: 0o700 });
    if (homePolicy !== undefined) writeFileSync(join(home, "policy.yaml"), homePolicy);
    dock = await createDock({ home, warm: 1 });
  });
  afterAll(async () => {
    await dock?.close();
    delete process.env.SECRET_CANARY;
    rmSync(host, { recursive: true, force: true });
  });

  const opened = () => {
    if (!dock) throw new Error("the dock is opened by beforeAll");
    return dock;
  };
  return {
    get dock() {
      return opened();
    },
    canary,
    host,
    attack: (code, { limits, policy, ...options } = {}) =>
      opened().exec({
        language: "python",
        code,
        unsafe: true,
        policy: { ...policy, limits: { ...LIMITS, ...limits } },
        ...options,
      }),
    makeWorkspace(files) {
      const directory = mkdtempSync(join(host, "workspace-"));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      return directory;
    },
  };
}

/** Everything a run gave back, as one text to search. */
export function saidBy(result: ExecResult): string {
  return JSON.stringify(result);
}

/** Process ids on this machine whose command line holds `marker`. */
export function processesWith(marker: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(marker);
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}

/** Waits until `condition` holds, for at most `withinMs`; what it gives back is whether it does. */
export async function eventually(condition: () => boolean, withinMs = 5000): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
