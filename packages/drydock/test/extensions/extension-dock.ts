import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CapabilityOutcome } from "@drydock/protocol";
import { type CapabilityContext, createDock, type Dock } from "drydock";
import { afterAll, beforeAll } from "vitest";

/** Files by their paths; those in `tools/` and `bin/` can be executed. */
export type Files = Record<string, string>;

export interface ExtensionDock {
  readonly dock: Dock;
  readonly home: string;
  readonly directory: string;
  /** Does it, and says what came of it. */
  call(line: string, context?: CapabilityContext): Promise<CapabilityOutcome>;
  /** Does what must succeed. */
  output(line: string, context?: CapabilityContext): Promise<string>;
  /** The error of what must fail. */
  error(line: string, context?: CapabilityContext): Promise<{ code: string; message: string; hint: string }>;
  makeDirectory(files: Files): string;
  /** Ends the dock, and opens another on the same home, as another process would. */
  reopen(): Promise<void>;
}

export interface ExtensionDockOptions {
  extensions: Files[];
  policy?: string;
  /** Called before the dock opens. */
  prepare?: (home: string) => void;
}

/** One dock for all the tests of a file, on a home of its own, with these extensions installed. */
export function openExtensionDock({ extensions, policy, prepare }: ExtensionDockOptions): ExtensionDock {
  const directory = mkdtempSync(join(tmpdir(), "drydock-extensions-"));
  const home = join(directory, "home");
  let dock: Dock | undefined;
  const opened = () => {
    if (!dock) throw new Error("the dock is opened by beforeAll");
    return dock;
  };
  const call = (line: string, context?: CapabilityContext) => opened().extensions.execute(line, context);
  const makeDirectory = (files: Files) => {
    const made = mkdtempSync(join(directory, "made-"));
    writeFiles(made, files);
    return made;
  };
  beforeAll(async () => {
    mkdirSync(home, { mode: 0o700 });
    if (policy !== undefined) writeFileSync(join(home, "policy.yaml"), policy);
    prepare?.(home);
    dock = await createDock({ home, warm: 2 });
    for (const files of extensions) {
      await dock.extensions.add(makeDirectory({ "docs/USAGE.md": "# Usage\n\nFor tests.\n", ...files }), {
        approve: async () => true,
      });
    }
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
    call,
    makeDirectory,
    async output(line, context) {
      const outcome = await call(line, context);
      if (outcome.type === "capability_result") return outcome.output;
      throw new Error(`${line} did not succeed: ${JSON.stringify(outcome)}`);
    },
    async error(line, context) {
      const outcome = await call(line, context);
      if (outcome.type === "capability_error") return outcome.error;
      throw new Error(`${line} did not fail: ${JSON.stringify(outcome)}`);
    },
    async reopen() {
      await dock?.close();
      dock = await createDock({ home, warm: 1 });
    },
  };
}

export function writeFiles(directory: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(directory, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    if (/^(?:tools|bin)\//.test(path)) chmodSync(full, 0o755);
  }
}

/** One extension with one command of the same name. */
export function describeExtension(id: string, permissions: string, actions: string): Files {
  const name = id.split(".").at(-1) ?? id;
  return {
    "extension.yaml": `id: ${id}\nversion: 1.0.0\nname: ${id}\ndescription: For tests.\npermissions: ${permissions}\n`,
    "commands.yaml": `commands:\n  - name: ${name}\n    description: For tests.\n    actions:\n${actions}`,
  };
}
