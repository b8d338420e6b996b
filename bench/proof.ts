/**
 * `npm run bench:proof [-- --rounds N] [--only node-bugfix]`: what a verdict on the demo workspaces costs, beside what a verdict by exit status
 * alone would: the same check commands, once on the changed tree and once on the untouched one, in the same sandbox.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createDock, type RunEvent } from "drydock";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    only: { type: "string", default: "python-bugfix,node-bugfix,rework,sales-report" },
  },
});
const demos = values.only.split(",");
const rounds = Number(values.rounds);
const root = dirname(import.meta.dirname);
const place = mkdtempSync(join(tmpdir(), "drydock-bench-proof-"));
const home = join(place, "home");
const dock = await createDock({ home });
let count = 0;

interface Judged {
  /** From the end of an attempt to its verdict, summed over the attempts. */
  ms: number;
  commands: string[];
  workspace: string;
  changed: string;
}

/** Carries the demo out by its scripted model, and measures the verdicts alone. */
async function judge(demo: string, isFirst: boolean): Promise<Judged> {
  if (isFirst) rmSync(join(home, "cache", "records"), { recursive: true, force: true });
  const workspace = copy(demo);
  const commands: string[] = [];
  let [ms, since] = [0, 0];
  const onEvent = ({ type, data }: RunEvent) => {
    if (type === "attempt.finished") since = performance.now();
    if (type === "task.verified") ms += performance.now() - since;
    const cmd = type === "check.finished" ? Object(data.check).cmd : undefined;
    if (typeof cmd === "string") commands.push(cmd);
  };
  const model = `scripted:${join(root, "demo", `${demo}.script.yaml`)}`;
  const changed = copy(demo);
  const { runId } = await dock.goals.run({ goal: demo, workspace: changed, model, onEvent });
  const run = await dock.runs.get(runId);
  if (run?.verdict !== "passed") throw new Error(`${demo} ended ${run?.verdict}`);
  return { ms, commands, workspace, changed };
}

function copy(demo: string): string {
  const workspace = join(place, `${demo}-${count++}`);
  cpSync(join(root, "demo", demo), workspace, { recursive: true });
  return workspace;
}

/** Each command of the checks on both trees. */
async function runPlainly({ commands, workspace, changed }: Judged): Promise<number> {
  const since = performance.now();
  for (const code of commands) {
    for (const tree of [changed, workspace]) await dock.exec({ language: "bash", code, workspace: tree });
  }
  return performance.now() - since;
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
try {
  console.log("verdicts on the demo workspaces, median of", rounds, "rounds, in ms");
  for (const demo of demos) {
    const [plain, first, again] = [[] as number[], [] as number[], [] as number[]];
    await judge(demo, true);
    for (let round = 0; round < rounds; round++) {
      const judged = await judge(demo, true);
      first.push(judged.ms);
      again.push((await judge(demo, false)).ms);
      plain.push(await runPlainly(judged));
    }
    const base = median(plain);
    // A demo whose checks run no command has nothing to compare with.
    const isCompared = base >= 1;
    const ratio = (numbers: number[]) => (isCompared ? ` (${(median(numbers) / base).toFixed(2)} ×)` : "");
    const tell = (numbers: number[]) => `${median(numbers).toFixed(0)}${ratio(numbers)}`;
    const plainly = isCompared ? base.toFixed(0) : "nothing to run";
    console.log(`${demo}: by exit status ${plainly}, first ${tell(first)}, with the record ${tell(again)}`);
  }
} finally {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
}
