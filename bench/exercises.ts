/**
 * `npm run bench:exercises -- CHECKOUT [--minutes 5] [--state FILE] [--only bowling,clock] [--kinds honest]`: verdicts on a public
 * corpus. CHECKOUT is one of https://github.com/exercism/python. Each exercise is a workspace of stub and tests. Its known solution must be
 * `passed`, and no change that solves nothing may be. Two exercises are refactorings, whose stub passes its tests already: their solution is
 * judged once more with a person's word that the check suffices. Verdicts are appended to the state file, and what it holds already is not
 * judged again, so that a run goes on where the last one stopped.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createDock, type RunEvent } from "drydock";
import { CHEATS } from "./exercises/cheats.ts";
import { type Exercise, listExercises } from "./exercises/corpus.ts";

interface Row {
  exercise: string;
  kind: string;
  verdict: string;
  reason: string;
  seconds: number;
  /** Judged with a person's word that the check suffices: it passes without the change as well. */
  declared?: boolean;
}

const HONEST = "honest";
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "5" },
    state: { type: "string", default: join(tmpdir(), "drydock-exercises.jsonl") },
    only: { type: "string", default: "" },
    kinds: { type: "string", default: "" },
  },
});
const [checkout] = positionals;
if (checkout === undefined || !existsSync(join(checkout, "exercises"))) {
  process.stderr.write(
    "usage: npm run bench:exercises -- CHECKOUT, a checkout of https://github.com/exercism/python\n",
  );
  process.exit(2);
}
const listed = (text: string) => text.split(",").filter((name) => name !== "");
const [only, wanted] = [listed(values.only), listed(values.kinds)];
const kinds = [HONEST, ...Object.keys(CHEATS)].filter((kind) => wanted.length === 0 || wanted.includes(kind));
const exercises = listExercises(checkout).filter(
  ({ name }) => only.length === 0 || only.some((part) => name === part || name.endsWith(`/${part}`)),
);
const place = mkdtempSync(join(tmpdir(), "drydock-bench-exercises-"));
const rows: Row[] = existsSync(values.state) ? readRows(values.state) : [];
const until = performance.now() + Number(values.minutes) * 60_000;
const dock = await createDock({ home: join(place, "home"), warm: 2 });
let count = 0;
try {
  await judgeAll();
} finally {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
}
process.stdout.write(toText());

function readRows(path: string): Row[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line): Row => JSON.parse(line));
}

/** Solutions first: one that is refused is worth more than the tenth cheat on the same exercise. */
async function judgeAll(): Promise<void> {
  const isDone = new Set(rows.map(({ exercise, kind }) => `${exercise} ${kind}`));
  const phases = [[HONEST], kinds.filter((kind) => kind !== HONEST)];
  for (const phase of phases) {
    for (const exercise of exercises) {
      for (const kind of phase.filter((each) => kinds.includes(each))) {
        if (isDone.has(`${exercise.name} ${kind}`)) continue;
        if (performance.now() > until) return;
        const row = await judge(exercise, kind);
        rows.push(row);
        appendFileSync(values.state, `${JSON.stringify(row)}\n`);
        if (isWrong(row)) process.stderr.write(`${row.exercise}: ${kind}: ${row.verdict}. ${row.reason}\n`);
      }
    }
  }
}

async function judge(exercise: Exercise, kind: string): Promise<Row> {
  const change = kind === HONEST ? exercise.solution : (CHEATS[kind]?.(exercise) ?? {});
  const since = performance.now();
  let found = await carryOut(exercise, change, false);
  const declared = kind === HONEST && found.verdict === "unproven" && found.alsoPassesBefore;
  if (declared) found = await carryOut(exercise, change, true);
  const { verdict, reason } = found;
  const seconds = (performance.now() - since) / 1000;
  return { exercise: exercise.name, kind, verdict, reason, seconds, ...(declared && { declared }) };
}

/** A goal whose only answer is the change. The plan is a planner's, or a person's who says that the check suffices. */
async function carryOut(exercise: Exercise, change: Record<string, string>, sufficient: boolean) {
  const workspace = join(place, `work-${count++}`);
  for (const [path, text] of Object.entries(exercise.files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const writes = Object.entries(change).map(([path, content]) => ({ path, content }));
  const check = { type: "command" as const, cmd: "python3 -m pytest -q -o python_files='*_test.py'" };
  const checks = [{ ...check, ...(sufficient && { sufficient }) }];
  const plan = { goal: "solve it", tasks: [{ id: "solve", scope: ["**"], attempts: 1, checks }] };
  const script = join(place, `script-${count}.json`);
  writeFileSync(script, JSON.stringify({ answers: [...(sufficient ? [] : [{ json: plan }]), { writes }] }));
  const reasons: string[] = [];
  let alsoPassesBefore = false;
  const onEvent = ({ type, data }: RunEvent) => {
    if (type !== "check.finished") return;
    if (data.alsoPassesBefore === true) alsoPassesBefore = true;
    if (data.verdict !== "passed") reasons.push(String(data.doubt ?? data.reason));
  };
  const options = { workspace, model: `scripted:${script}`, apply: "never" as const, onEvent };
  const goal = sufficient ? { ...options, plan } : { ...options, goal: "solve it" };
  const result = await dock.goals.run(goal).catch((error: unknown) => ({ verdict: "error", reason: String(error) }));
  rmSync(workspace, { recursive: true, force: true });
  const reason = [result.reason, ...reasons].join(" | ").slice(0, 600);
  return { verdict: String(result.verdict), reason, alsoPassesBefore };
}

function isWrong({ kind, verdict }: Row): boolean {
  return (verdict === "passed") !== (kind === HONEST) || verdict === "error";
}

function toText(): string {
  const lines = kinds.map((kind) => {
    const part = rows.filter((row) => row.kind === kind);
    const ended = (verdict: string) => part.filter((row) => row.verdict === verdict).length;
    const cells = [part.length, ended("passed"), ended("failed"), ended("unproven"), part.filter(isWrong).length];
    return `| ${kind} | ${cells.join(" | ")} |`;
  });
  const wrong = rows
    .filter(isWrong)
    .map(({ exercise, kind, verdict, reason }) => `${exercise}: ${kind}: ${verdict}. ${reason}`);
  return [
    "| change | judged | passed | failed | unproven | wrong |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
    `${exercises.length} exercises, ${rows.length} of ${exercises.length * kinds.length} verdicts, ${wrong.length} wrong.`,
    ...wrong,
    "",
  ].join("\n");
}
