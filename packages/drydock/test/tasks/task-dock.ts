import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { afterAll, beforeAll } from "vitest";

export interface TaskDock {
  readonly dock: Dock;
  readonly directory: string;
  /** The specification of a scripted model with these answers. */
  script(answers: readonly unknown[]): string;
}

/** One dock for all tests of a file, on a home of its own. */
export function openTaskDock(policy?: string): TaskDock {
  const directory = mkdtempSync(join(tmpdir(), "drydock-tasks-"));
  let dock: Dock | undefined;
  let scripts = 0;
  beforeAll(async () => {
    dock = await createDock({ home: join(directory, "home"), warm: 1 });
    if (policy !== undefined) writeFileSync(join(directory, "home", "policy.yaml"), policy);
  });
  afterAll(async () => {
    await dock?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    get dock() {
      if (!dock) throw new Error("the dock is opened by beforeAll");
      return dock;
    },
    directory,
    script(answers) {
      const path = join(directory, `script-${scripts++}.json`);
      writeFileSync(path, JSON.stringify({ answers }));
      return `scripted:${path}`;
    },
  };
}

/** An answer that is nothing but code. */
export function code(text: string, when?: Record<string, string>): Record<string, unknown> {
  return { ...(when && { when }), text: `\`\`\`python\n${text}\n\`\`\`` };
}
