import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createDock, type Dock, type GoalOptions, type GoalResult, type RunEvent } from "drydock";
import { onTestFinished } from "vitest";
import { makeTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { writeFiles } from "../../src/base/testing/write-files.ts";
import { createScripts } from "./scripts.ts";
import { openTestDock } from "./test-dock.ts";

export interface GoalDock {
  home: string;
  workspace: string;
  dock: Dock;
  events: RunEvent[];
  /** Carries a goal or plan out with these scripted answers. */
  run(answers: readonly unknown[], options?: Partial<GoalOptions>): Promise<GoalResult>;
  writeScript(answers: readonly unknown[]): string;
  /** The data of all recorded events of this type. */
  data(type: string): Record<string, unknown>[];
}

/** A dock with a home and a workspace of its own, gone when the test is over. */
export async function openGoalDock(files: Record<string, string>): Promise<GoalDock> {
  const place = makeTemporaryDirectory();
  const dock = await createDock({ home: join(place, "home"), warm: 2 });
  onTestFinished(() => dock.close());
  return describeGoalDock(dock, place, files);
}

/** One dock for all tests of a file: opening one costs more than most goals. Each test has a workspace of its own. */
export function shareGoalDock(policy: string): (files: Record<string, string>) => GoalDock {
  const shared = openTestDock({ policy, warm: 2 });
  return (files) => {
    const place = mkdtempSync(join(shared.directory, "goal-"));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    return describeGoalDock(shared.dock, place, files);
  };
}

function describeGoalDock(dock: Dock, place: string, files: Record<string, string>): GoalDock {
  const { home } = dock;
  const workspace = join(place, "work");
  mkdirSync(workspace);
  writeFiles(workspace, files);
  const events: RunEvent[] = [];
  const writeScript = createScripts(place);
  return {
    home,
    workspace,
    dock,
    events,
    writeScript,
    run: (answers, options = {}) =>
      dock.goals.run({
        workspace,
        model: writeScript(answers),
        ...options,
        onEvent: (event) => {
          events.push(event);
          options.onEvent?.(event);
        },
      }),
    data: (type) => events.filter((event) => event.type === type).map((event) => event.data),
  };
}
