import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock, type Dock, type DockOptions, type ExecOptions } from "drydock";
import { afterAll, beforeAll } from "vitest";

export type ExecResult = Awaited<ReturnType<Dock["exec"]>>;

export interface TestDock {
  readonly dock: Dock;
  readonly home: string;
  /** A private directory of this file's tests, removed at the end. */
  readonly directory: string;
  python(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  node(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  bash(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  /** A directory on the host with the files that are named. */
  makeWorkspace(files: Record<string, string | Uint8Array>): string;
}

/** One dock for all the tests of a file, on a home of its own. */
export function openTestDock({ policy, ...options }: { policy?: string } & DockOptions = {}): TestDock {
  let dock: Dock | undefined;
  const directory = mkdtempSync(join(tmpdir(), "drydock-test-"));
  const home = join(directory, "home");
  const opened = () => {
    if (!dock) throw new Error("the dock is opened by beforeAll");
    return dock;
  };

  beforeAll(async () => {
    mkdirSync(home, { mode: 0o700 });
    if (policy !== undefined) writeFileSync(join(home, "policy.yaml"), policy);
    dock = await createDock({ home, warm: 1, ...options });
  });
  afterAll(async () => {
    await dock?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  return {
    get dock() {
      return opened();
    },
    home,
    directory,
    python: (code, more) => opened().exec({ language: "python", code, ...more }),
    node: (code, more) => opened().exec({ language: "node", code, ...more }),
    bash: (code, more) => opened().exec({ language: "bash", code, ...more }),
    makeWorkspace(files) {
      const workspace = mkdtempSync(join(directory, "workspace-"));
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        writeFileSync(join(workspace, path), content);
      }
      return workspace;
    },
  };
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

/**
 * Process ids of the dock with this home: its fork servers, whose words name it, and all that they started. Members cover
 * the words that they were started with, and are found by their parents only.
 */
export function processesOf(home: string): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null;
    return parent === null ? [] : [[Number(name), parent] as const];
  });
  const found = new Set(processesWith(home));
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

function parentOf(pid: number): number | null {
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(parent);
  } catch {
    return null; // it ended meanwhile
  }
}

/** Waits until `condition` holds, for at most `withinMs`; what it gives back is whether it does. */
export async function eventually(condition: () => boolean | Promise<boolean>, withinMs = 5000): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
