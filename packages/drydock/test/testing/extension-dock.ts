import type { CapabilityOutcome } from "@drydock/protocol";
import type { CapabilityContext } from "drydock";
import { beforeAll } from "vitest";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { openTestDock, type TestDock } from "./test-dock.ts";

/** Files by their paths; those in `tools/` and `bin/` can be executed. */
export type Files = Record<string, string>;

export interface ExtensionDock extends Pick<TestDock, "dock" | "home" | "directory" | "reopen"> {
  /** Does it, and says what came of it. */
  call(line: string, context?: CapabilityContext): Promise<CapabilityOutcome>;
  /** Does what must succeed. */
  output(line: string, context?: CapabilityContext): Promise<string>;
  /** The error of what must fail. */
  error(line: string, context?: CapabilityContext): Promise<{ code: string; message: string; hint: string }>;
  makeDirectory(files: Files): string;
}

export interface ExtensionDockOptions {
  extensions: Files[];
  policy?: string;
  /** Called before the dock opens. */
  prepare?: (home: string) => void;
}

/** One dock for all the tests of a file, on a home of its own, with these extensions installed. */
export function openExtensionDock({ extensions, policy, prepare }: ExtensionDockOptions): ExtensionDock {
  const test = openTestDock({ policy, prepare, warm: 2 });
  const call = (line: string, context?: CapabilityContext) => test.dock.extensions.execute(line, context);
  const makeDirectory = (files: Files) => test.makeWorkspace(files, modeOf);
  beforeAll(async () => {
    for (const files of extensions) {
      await test.dock.extensions.add(makeDirectory({ "docs/USAGE.md": "# Usage\n\nFor tests.\n", ...files }), {
        approve: async () => true,
      });
    }
  });
  return {
    get dock() {
      return test.dock;
    },
    home: test.home,
    directory: test.directory,
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
    reopen: test.reopen,
  };
}

/** Writes the files of an extension. */
export function writeExtension(directory: string, files: Files): void {
  writeFiles(directory, files, modeOf);
}

function modeOf(path: string): number {
  return /^(?:tools|bin)\//.test(path) ? 0o755 : 0o644;
}

/** One extension with one command of the same name. */
export function describeExtension(id: string, permissions: string, actions: string): Files {
  const name = id.split(".").at(-1) ?? id;
  return {
    "extension.yaml": `id: ${id}\nversion: 1.0.0\nname: ${id}\ndescription: For tests.\npermissions: ${permissions}\n`,
    "commands.yaml": `commands:\n  - name: ${name}\n    description: For tests.\n    actions:\n${actions}`,
  };
}
