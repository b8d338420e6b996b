import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

export interface GoalPlace {
  /** A fresh copy of the workspace: `add` subtracts, and says so in a file that a check looks at. */
  workspace(): Promise<string>;
  /** Writes a file beside the workspaces and gives its path. */
  write(name: string, content: unknown): Promise<string>;
  /** `--workspace` and `--model` for a script of these answers. */
  work(workspace: string, answers: unknown[]): Promise<string[]>;
}

export const BROKEN = "def add(a, b):\n    return a - b\n";
export const FIXED = "def add(a, b):\n    return a + b\n";
export const CHECKS = [
  { type: "command", cmd: "python3 -c 'import calc; assert calc.add(2, 3) == 5'", name: "add adds" },
  { type: "file_exists", path: "calc.py" },
];
export const TASK = { id: "fix", title: "Correct add", scope: ["calc.py"], checks: CHECKS, attempts: 2 };
export const PLAN = { goal: "Make add() add", tasks: [TASK] };
export const PLANS = { when: { step: "plan" }, json: PLAN };
export const FIXES = { when: { step: "work" }, writes: [{ path: "calc.py", content: FIXED }] };

/** Workspaces, plans and scripts of a file of tests. */
export function useGoalPlace(): GoalPlace {
  let place = "";
  let count = 0;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), "drydock-goal-cli-"));
  });
  afterAll(() => rm(place, { recursive: true, force: true }));
  const write = async (name: string, content: unknown) => {
    const path = join(place, name);
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  return {
    async workspace() {
      const path = join(place, `work${++count}`);
      await mkdir(path);
      await writeFile(join(path, "calc.py"), BROKEN);
      return path;
    },
    write,
    async work(workspace, answers) {
      return ["--workspace", workspace, "--model", `scripted:${await write(`script${++count}.json`, { answers })}`];
    },
  };
}

/** Every file with its content. */
export async function readTree(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")])),
  );
}
