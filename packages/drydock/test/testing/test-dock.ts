import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock, type Dock, type DockOptions, type ExecOptions } from "drydock";
import { afterAll, beforeAll } from "vitest";
import { useTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { type Files, writeFiles } from "../../src/base/testing/write-files.ts";

export type ExecResult = Awaited<ReturnType<Dock["exec"]>>;

type SessionOptions = Parameters<Dock["sessions"]["open"]>[0];
export type Session = Awaited<ReturnType<Dock["sessions"]["open"]>>;

export interface TestDockOptions extends DockOptions {
  /** The home policy. */
  policy?: string;
  /** Called before the dock opens. */
  prepare?: (home: string) => void;
}

export interface TestDock {
  readonly dock: Dock;
  readonly home: string;
  /** A private directory of this file's tests, removed at the end. */
  readonly directory: string;
  python(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  node(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  bash(code: string, options?: Partial<ExecOptions>): Promise<ExecResult>;
  /** Opens a session, and closes it whatever comes of its use. */
  withSession<T>(use: (session: Session) => Promise<T>, options?: SessionOptions): Promise<T>;
  /** A directory on the host with the files that are named. */
  makeWorkspace(files: Files, mode?: (path: string) => number): string;
  /** Ends the dock, and opens another on the same home, as another process would. */
  reopen(): Promise<void>;
}

/** One dock for all the tests of a file, on a home of its own. The other docks here are made of it. */
export function openTestDock({ policy, prepare, ...options }: TestDockOptions = {}): TestDock {
  let dock: Dock | undefined;
  const directory = useTemporaryDirectory();
  const home = join(directory, "home");
  const open = () => createDock({ home, warm: 1, ...options });
  const opened = () => {
    if (!dock) throw new Error("the dock is opened by beforeAll");
    return dock;
  };

  beforeAll(async () => {
    mkdirSync(home, { mode: 0o700 });
    if (policy !== undefined) writeFileSync(join(home, "policy.yaml"), policy);
    prepare?.(home);
    dock = await open();
  });
  afterAll(() => dock?.close());

  return {
    get dock() {
      return opened();
    },
    home,
    directory,
    python: (code, more) => opened().exec({ language: "python", code, ...more }),
    node: (code, more) => opened().exec({ language: "node", code, ...more }),
    bash: (code, more) => opened().exec({ language: "bash", code, ...more }),
    async withSession(use, more) {
      const session = await opened().sessions.open(more);
      try {
        return await use(session);
      } finally {
        await session.close();
      }
    },
    makeWorkspace(files, mode) {
      const workspace = mkdtempSync(join(directory, "workspace-"));
      writeFiles(workspace, files, mode);
      return workspace;
    },
    async reopen() {
      await dock?.close();
      dock = await open();
    },
  };
}
