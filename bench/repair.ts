/**
 * `npm run bench:repair`: candidates a second, beside bare forks and plain runs of pytest, and forks of a session that has
 * loaded pandas. `npm run bench:repair -- QUIXBUGS [--seconds 60] [--only gcd,sieve] [--json]` shows as well how many bugs
 * repair mends without a language model, and how many of the mended programs are right on tests that it has not seen.
 * QUIXBUGS is a checkout of https://github.com/jkoppel/QuixBugs. With `--pairs` the directory holds other programs instead: PROGRAM/visible with the
 * faulty source and tests, PROGRAM/held with the same source and other tests.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDock, type Dock } from "drydock";
import { measureForks } from "./forks.ts";
import { hasCases, makeQuixBugs } from "./repair/quixbugs.ts";
import { measureRates } from "./repair/rates.ts";

interface Row {
  program: string;
  tests: string;
  isRepaired: boolean;
  /** Null where there is nothing to judge. */
  isRight: boolean | null;
  others: number;
  tried: number;
  seconds: number;
  change: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    only: { type: "string", default: "" },
    pairs: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [source] = positionals;
if (source !== undefined && !existsSync(source)) {
  process.stderr.write(`There is no ${source}. Name a checkout of QuixBugs, or nothing.\n`);
  process.exit(2);
}
const only = values.only.split(",").filter((name) => name !== "");
const place = mkdtempSync(join(tmpdir(), "drydock-bench-repair-"));
const say = (text: string) => process.stderr.write(`${text}\n`);
const dock = await createDock({ home: join(place, "home") });
try {
  // Programs by name are looked at one by one, and nobody waits for figures then.
  if (only.length === 0 && !values.json) process.stdout.write(await measureSpeed());
  if (source !== undefined) await measureCorpus(source);
} finally {
  await dock.close();
  rmSync(place, { recursive: true, force: true });
}

async function measureSpeed(): Promise<string> {
  const { candidates, scripts, forks, runs } = await measureRates(place, say);
  const { forkMs, bareMs } = await measureForks(place, say);
  return [
    "| what | measured | mark |",
    "|---|---|---|",
    `| candidates a second, three tests of a millisecond | ${candidates} | 100 |`,
    `| the same with Node's own runner | ${scripts} | 100 |`,
    `| a bare fork of the same interpreter with the same tests, a second | ${forks.toFixed(0)} | |`,
    `| a plain pytest for each candidate, a second | ${runs.toFixed(1)} | |`,
    `| session.fork(100) with pandas loaded, p50 of a fork | ${forkMs.toFixed(1)} ms | 20 ms |`,
    `| a bare fork of the same interpreter, p50 | ${bareMs.toFixed(1)} ms | |`,
    `load: ${readFileSync("/proc/loadavg", "utf8").trim()}`,
    "",
    "",
  ].join("\n");
}

async function measureCorpus(source: string): Promise<void> {
  const corpus = values.pairs ? source : join(place, "corpus");
  if (!values.pairs) await makeQuixBugs(dock, source, corpus, only);
  const rows: Row[] = [];
  for (const program of readdirSync(corpus).sort()) {
    if (only.length > 0 && !only.includes(program)) continue;
    const row = await measure(dock, corpus, program, source);
    rows.push(row);
    say(toLine(row));
  }
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : toText(rows));
}

async function measure(dock: Dock, corpus: string, program: string, checkout: string): Promise<Row> {
  const [visible, held] = [join(corpus, program, "visible"), join(corpus, program, "held")];
  const cmd = readdirSync(visible).some((name) => name.endsWith(".py")) ? "pytest -q" : "node --test";
  // A half that does not show the bug says nothing about how to mend it: then the other one is shown.
  const [shown, hidden] = (await passes(dock, visible, cmd)) ? [held, visible] : [visible, held];
  const workspace = join(place, "work", program);
  cpSync(shown, workspace, { recursive: true });
  const since = performance.now();
  const result = await dock.goals.run({
    goal: `Fix ${program} so that its tests pass`,
    workspace,
    model: "repair",
    checks: [cmd],
    repair: { seconds: Number(values.seconds) },
  });
  const [report] = result.repairs;
  const isRepaired = result.verdict === "passed";
  const chosen = report?.changes[(report.chosen ?? 1) - 1];
  return {
    program,
    tests: values.pairs || hasCases(checkout, program) ? "cases" : "functions",
    isRepaired,
    isRight: isRepaired ? await isRight(dock, { workspace, hidden, program, cmd }) : null,
    others: Math.max(0, (report?.found ?? 0) - 1),
    tried: report?.tried ?? 0,
    seconds: (performance.now() - since) / 1000,
    change: isRepaired ? (chosen?.summary ?? "") : "",
  };
}

/** The repaired source with the tests that were held back. */
async function isRight(
  dock: Dock,
  { workspace, hidden, program, cmd }: { workspace: string; hidden: string; program: string; cmd: string },
): Promise<boolean> {
  const judged = join(place, "judged", program);
  cpSync(workspace, judged, { recursive: true });
  const isTest = (name: string) => /^test_|\.test\.[cm]?[jt]s$/.test(name);
  for (const name of readdirSync(judged).filter(isTest)) rmSync(join(judged, name));
  for (const name of readdirSync(hidden).filter(isTest)) cpSync(join(hidden, name), join(judged, name));
  return passes(dock, judged, cmd);
}

async function passes(dock: Dock, workspace: string, cmd: string): Promise<boolean> {
  const { verdict } = await dock.verify({ workspace, checks: [{ type: "command", cmd, timeout: 30 }] });
  return verdict === "passed";
}

function toLine({ program, isRepaired, isRight, others, tried, seconds, change }: Row): string {
  const result = isRepaired ? (isRight ? "repaired, right" : "repaired, not right") : "not repaired";
  return `${program}: ${result}; ${tried} tried, ${others} others pass, ${seconds.toFixed(0)} s. ${change}`;
}

function toText(rows: readonly Row[]): string {
  const yes = (is: boolean | null) => (is === null ? "" : is ? "yes" : "no");
  const lines = rows.map(
    ({ program, tests, isRepaired, isRight, others, tried, seconds }) =>
      `| ${program}${tests === "functions" ? " ¹" : ""} | ${yes(isRepaired)} | ${yes(isRight)} | ${others} | ${tried} | ${seconds.toFixed(0)} |`,
  );
  const count = (part: readonly Row[]) =>
    `${part.length} programs, ${part.filter((row) => row.isRepaired).length} repaired, ${part.filter((row) => row.isRight).length} right on the tests that were held back`;
  const withCases = rows.filter(({ tests }) => tests === "cases");
  return [
    "| program | repaired | right on held-out tests | others that pass | tried | seconds |",
    "|---|---|---|---|---|---|",
    ...lines,
    "",
    `All: ${count(rows)}.`,
    `With cases in JSON: ${count(withCases)}.`,
    "",
  ].join("\n");
}
