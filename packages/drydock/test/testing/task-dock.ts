import { createScripts } from "./scripts.ts";
import { openTestDock, type TestDock } from "./test-dock.ts";

export interface TaskDock extends Pick<TestDock, "dock" | "directory"> {
  /** The specification of a scripted model with these answers. */
  script(answers: readonly unknown[]): string;
}

/** One dock for all tests of a file, with models that follow a script. */
export function openTaskDock(policy?: string): TaskDock {
  const test = openTestDock({ policy });
  return {
    get dock() {
      return test.dock;
    },
    directory: test.directory,
    script: createScripts(test.directory),
  };
}

/** An answer that is nothing but code. */
export function code(text: string, when?: Record<string, string>): Record<string, unknown> {
  return { ...(when && { when }), text: `\`\`\`python\n${text}\n\`\`\`` };
}
