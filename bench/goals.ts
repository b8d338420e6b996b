import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createDock } from "drydock";

/** What the engine itself costs: everything of a goal but the model's answers and the checks. */
export interface GoalCost {
  tasks: number;
  /** Each on its own, or each on top of the one before. */
  shape: "side by side" | "in a chain";
  msPerTask: number;
  /** After the garbage is gone. */
  heapMb: number;
}

export interface GoalFigures {
  costs: GoalCost[];
  /** A whole run of one task, in a workspace of one file and in one of 50,000, each seen for the first time. */
  smallMs: number;
  largeMs: number;
}

const SIZES = [100, 1000];
const DIRECTORIES = 500;
const FILES_EACH = 100;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

export async function measureGoals(directory: string, say: (text: string) => void): Promise<GoalFigures> {
  const place = mkdtempSync(join(directory, "goals-"));
  const dock = await createDock({ home: join(place, "home"), warm: 1 });
  let count = 0;
  const run = async (tasks: object[], answers: object[], workspace: string) => {
    const script = join(place, `script-${count++}.json`);
    writeFileSync(script, JSON.stringify({ answers }));
    let elsewhereMs = 0;
    const since = performance.now();
    const result = await dock.goals.run({
      plan: { goal: "measure", tasks },
      workspace,
      model: `scripted:${script}`,
      onEvent: ({ type, data }) => {
        if (type === "check.finished" || type === "model.answered") elsewhereMs += Number(data.durationMs);
      },
    });
    if (result.verdict !== "passed") throw new Error(`the goal was not reached: ${result.reason}`);
    return performance.now() - since - elsewhereMs;
  };
  try {
    await run(...makeTasks(3, false), makeWorkspace(place, "warm-up"));
    const costs: GoalCost[] = [];
    for (const tasks of SIZES) {
      for (const isChain of [false, true]) {
        say(`a goal of ${tasks} tasks${isChain ? " in a chain" : ""}`);
        const ms = await run(...makeTasks(tasks, isChain), makeWorkspace(place, `work-${tasks}-${isChain}`));
        collectGarbage();
        const heapMb = process.memoryUsage().heapUsed / 2 ** 20;
        costs.push({ tasks, shape: isChain ? "in a chain" : "side by side", msPerTask: ms / tasks, heapMb });
      }
    }
    const large = makeWorkspace(place, "large");
    for (let i = 0; i < DIRECTORIES; i++) {
      mkdirSync(join(large, `d${i}`));
      for (let j = 0; j < FILES_EACH; j++) writeFileSync(join(large, `d${i}`, `f${j}.txt`), `${i} ${j}\n`);
    }
    const smallMs = await run(...makeTasks(1, false), makeWorkspace(place, "small"));
    const largeMs = await run(...makeTasks(1, false), large);
    return { costs, smallMs, largeMs };
  } finally {
    await dock.close();
  }
}

function makeTasks(count: number, isChain: boolean): [object[], object[]] {
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    dependsOn: isChain && index > 0 ? [`t${index - 1}`] : [],
    scope: [`out-${index}.txt`],
    checks: [{ type: "file_exists", path: `out-${index}.txt` }],
    attempts: 1,
  }));
  const answers = tasks.map(({ id }, index) => ({
    when: { task: id },
    writes: [{ path: `out-${index}.txt`, content: `${index}\n` }],
  }));
  return [tasks, answers];
}

function makeWorkspace(place: string, name: string): string {
  const workspace = join(place, name);
  mkdirSync(workspace);
  writeFileSync(join(workspace, "README.md"), "To be measured.\n");
  return workspace;
}
