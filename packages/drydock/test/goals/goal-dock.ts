import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDock, type Dock, type GoalOptions, type GoalResult, type RunEvent } from "drydock";
import { afterAll, beforeAll, onTestFinished } from "vitest";

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
  const place = mkdtempSync(join(tmpdir(), "drydock-goal-"));
  const dock = await createDock({ home: join(place, "home"), warm: 2 });
  onTestFinished(async () => {
    await dock.close();
    rmSync(place, { recursive: true, force: true });
  });
  return describeGoalDock(dock, place, files);
}

/** One dock for all tests of a file: opening one costs more than most goals. Each test has a workspace of its own. */
export function shareGoalDock(policy: string): (files: Record<string, string>) => GoalDock {
  const shared = mkdtempSync(join(tmpdir(), "drydock-goals-"));
  const home = join(shared, "home");
  let dock: Dock;
  beforeAll(async () => {
    mkdirSync(home);
    writeFileSync(join(home, "policy.yaml"), policy);
    dock = await createDock({ home, warm: 2 });
  });
  afterAll(async () => {
    await dock.close();
    rmSync(shared, { recursive: true, force: true });
  });
  return (files) => {
    const place = mkdtempSync(join(shared, "goal-"));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    return describeGoalDock(dock, place, files);
  };
}

function describeGoalDock(dock: Dock, place: string, files: Record<string, string>): GoalDock {
  const { home } = dock;
  const workspace = join(place, "work");
  mkdirSync(workspace);
  writeFiles(workspace, files);
  const events: RunEvent[] = [];
  let scripts = 0;
  const goals: GoalDock = {
    home,
    workspace,
    dock,
    events,
    writeScript(answers) {
      const path = join(place, `script-${scripts++}.json`);
      writeFileSync(path, JSON.stringify({ answers }));
      return `scripted:${path}`;
    },
    run: (answers, options = {}) =>
      dock.goals.run({
        workspace,
        model: goals.writeScript(answers),
        ...options,
        onEvent: (event) => {
          events.push(event);
          options.onEvent?.(event);
        },
      }),
    data: (type) => events.filter((event) => event.type === type).map((event) => event.data),
  };
  return goals;
}

export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}
