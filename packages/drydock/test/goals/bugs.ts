import { createHash } from "node:crypto";
import { cpSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GoalResult, RunEvent } from "drydock";
import { expect } from "vitest";
import { parse } from "yaml";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

/** One wrong line of a program, what mends it, and for about half of them what is tried first. */
interface Bug {
  bug: string;
  fix: string;
  wrong?: string;
  /** Why the wrong answer is refused. Default `exit_code`. */
  refused?: string;
}

interface Outcome {
  name: string;
  result: GoalResult;
  events: RunEvent[];
  /** Whether the directory was as it came whenever something was recorded, up to its delivery. */
  untouchedBefore: boolean;
  workspace: string;
}

const CORPUS = join(import.meta.dirname, "bugs");
export const BUGS = Object.entries(parse(readFileSync(join(CORPUS, "answers.yaml"), "utf8")) as Record<string, Bug>);
const AT_ONCE = 3;
/** These never end as they are, and are waited for: their tests take a tenth of a second otherwise. */
export const ENDLESS = ["gcd", "binary_search", "count_bits", "square_root"];
const LOOP_SECONDS = 5;
/** Enough on a machine that has much else to do. */
const PATIENT_SECONDS = 60;

const sourceOf = (directory: string, name: string) => readFileSync(join(directory, `${name}.py`), "utf8");

/** Each of these is mended, every wrong answer is refused, and nothing changes before the proof. */
export async function mendBugs(bugs: readonly (readonly [string, Bug])[]): Promise<void> {
  const t = await openGoalDock({});
  const outcomes = await mapAtOnce(bugs, AT_ONCE, (entry) => mend(t, ...entry));
  expect(outcomes.length).toBeGreaterThanOrEqual(12);
  expect(bugs.filter(([, { wrong }]) => wrong !== undefined).length * 2).toBeGreaterThanOrEqual(bugs.length);
  for (const [index, { name, result, events, untouchedBefore, workspace }] of outcomes.entries()) {
    const { bug = "", fix = "", wrong, refused = "exit_code" } = bugs[index]?.[1] ?? {};
    const data = (type: string) => events.filter((event) => event.type === type).map((event) => event.data);
    expect([name, result.verdict, result.delivery]).toEqual([name, "passed", "applied"]);
    expect([name, untouchedBefore]).toEqual([name, true]);
    expect(sourceOf(workspace, name)).toBe(sourceOf(join(CORPUS, name), name).replace(bug, fix));
    expect(readdirSync(workspace).sort()).toEqual([`${name}.py`, `test_${name}.py`].sort());
    const verdicts = data("task.verified").map(({ verdict }) => verdict);
    expect([name, ...verdicts]).toEqual([name, ...(wrong === undefined ? [] : ["failed"]), "passed"]);
    // What proves a change does not hold without it.
    expect(data("check.finished").at(-1)).toMatchObject({ verdict: "passed", alsoPassesBefore: false });
    if (wrong !== undefined) expect([name, data("check.finished")[0]?.code]).toEqual([name, refused]);
  }
  expect((await t.dock.audit.verify()).ok).toBe(true);
}

/** What nobody mends leaves the directory as it was. */
export async function leaveBugs(names: readonly string[]): Promise<void> {
  const t = await openGoalDock({});
  const stubborn = BUGS.filter(([name]) => names.includes(name));
  for (const [name, { bug, wrong }] of stubborn) {
    const { result, untouchedBefore, workspace } = await mend(t, name, { bug, fix: wrong ?? bug });
    expect([name, result.status, result.verdict, result.delivery]).toEqual([name, "failed", "failed", "nothing"]);
    expect([name, untouchedBefore]).toEqual([name, true]);
    expect(sourceOf(workspace, name)).toBe(sourceOf(join(CORPUS, name), name));
  }
}

/** One goal on a copy of the program, with scripted answers: the wrong one where there is one, then the fix. */
async function mend(t: GoalDock, name: string, { bug, fix, wrong }: Bug): Promise<Outcome> {
  const workspace = join(t.workspace, name);
  cpSync(join(CORPUS, name), workspace, { recursive: true });
  const source = sourceOf(workspace, name);
  if (source.split(bug).length !== 2) throw new Error(`${name}: the line "${bug}" must occur once.`);
  const answer = (step: string, line: string) => ({
    when: { step, task: name },
    text: "I mended it, and all tests pass.",
    writes: [{ path: `${name}.py`, content: source.replace(bug, () => line) }],
  });
  const answers = wrong === undefined ? [answer("work", fix)] : [answer("work", wrong), answer("rework", fix)];
  const timeout = ENDLESS.includes(name) ? LOOP_SECONDS : PATIENT_SECONDS;
  const checks = [{ type: "command", cmd: "python3 -m unittest -q", timeout }];
  const task = { id: name, title: `Mend ${name}`, scope: ["**"], checks, attempts: answers.length };
  const before = hashDirectory(workspace);
  const events: RunEvent[] = [];
  let untouchedBefore = true;
  const result = await t.run([{ when: { step: "plan" }, json: { goal: "Mend it", tasks: [task] } }, ...answers], {
    goal: `Mend ${name}, so that its tests pass`,
    workspace,
    onEvent(event) {
      events.push(event);
      if (event.type !== "layer.applied") untouchedBefore &&= hashDirectory(workspace) === before;
    },
  });
  return { name, result, events, untouchedBefore, workspace };
}

/** Names, permissions, times and contents. */
function hashDirectory(directory: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()) {
    const { mode, mtimeMs, size } = lstatSync(join(directory, name));
    hash.update(`${name}\0${mode}\0${mtimeMs}\0${size}\0`).update(readFileSync(join(directory, name)));
  }
  return hash.digest("hex");
}

async function mapAtOnce<T, R>(items: readonly T[], atOnce: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
