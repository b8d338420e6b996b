/**
 * `npm run bench:strength [-- --json] [--only cart,roman]`: mutants killed by Drydock and by Stryker on the same programs with the same
 * tests, side by side. Stryker is installed into a temporary directory. For the Python programs there is no such tool in
 * Debian: the same number of plain test runs stands on the other side.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDock, type Dock } from "drydock";

interface Figure {
  program: string;
  tool: string;
  mutants: number;
  /** Null where nothing was mutated: plain test runs. */
  killed: number | null;
  seconds: number;
}

const OURS = "Drydock, the command";
const PROGRAMS = join(import.meta.dirname, "strength", "programs");
/** As it is built: what people run. */
const MAIN = join(import.meta.dirname, "..", "packages", "drydock", "bin", "drydock.js");
const STRYKER = ["@stryker-mutator/core@10.0.0", "@stryker-mutator/tap-runner@10.0.0"];
const PLAIN_RUNS = 10;

const { values: options } = parseArgs({
  options: { json: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});
const only = options.only.split(",").filter((name) => name !== "");
const directory = mkdtempSync(join(tmpdir(), "drydock-strength-"));
const dock = await createDock({ home: join(directory, "home") });
try {
  const figures = await measureAll(dock, installStryker());
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : toText(figures));
} finally {
  await dock.close();
  rmSync(directory, { recursive: true, force: true });
}

async function measureAll(dock: Dock, stryker: string | null): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const program of readdirSync(PROGRAMS).filter((name) => only.length === 0 || only.includes(name))) {
    const workspace = join(directory, program);
    cpSync(join(PROGRAMS, program), workspace, { recursive: true });
    const isPython = program.startsWith("python-");
    const cmd = isPython ? "pytest -q" : "node --test";
    if (!isPython) writeFileSync(join(workspace, "package.json"), '{ "type": "module" }\n');
    figures.push(await measureLibrary(dock, program, workspace, cmd), measureCommand(program, workspace, cmd));
    if (isPython) figures.push(measurePytest(program, workspace));
    else if (stryker) figures.push(...measureBothRunners(program, workspace, stryker));
    process.stderr.write(`${program}\n`);
  }
  return figures;
}

function installStryker(): string | null {
  const place = join(directory, "stryker");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", ...STRYKER], { cwd: place, stdio: "ignore" });
    return place;
  } catch {
    process.stderr.write("Stryker could not be installed: Drydock is measured alone.\n");
    return null;
  }
}

async function measureLibrary(dock: Dock, program: string, workspace: string, cmd: string): Promise<Figure> {
  const since = performance.now();
  const { strength } = await dock.verify({
    workspace,
    checks: [{ type: "command", cmd }],
    strength: { mutants: 1000 },
  });
  if (!strength) throw new Error(`${program}: its own tests do not pass`);
  const seconds = (performance.now() - since) / 1000;
  return { program, tool: "Drydock, the library", mutants: strength.total, killed: strength.killed, seconds };
}

function measureCommand(program: string, workspace: string, cmd: string): Figure {
  const checks = join(directory, `${program}.json`);
  writeFileSync(checks, JSON.stringify({ checks: [{ type: "command", cmd }] }));
  const args = ["verify", "--checks", checks, "--workspace", workspace, "--strength", "--mutants", "1000", "--json"];
  const env = { ...process.env, DRYDOCK_HOME: join(directory, "home-of-command") };
  const since = performance.now();
  const { strength } = JSON.parse(execFileSync(process.execPath, [MAIN, ...args], { env, encoding: "utf8" }));
  const seconds = (performance.now() - since) / 1000;
  return { program, tool: OURS, mutants: strength.total, killed: strength.killed, seconds };
}

function measurePytest(program: string, workspace: string): Figure {
  const since = performance.now();
  const command = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"];
  for (let run = 0; run < PLAIN_RUNS; run++)
    execFileSync("/usr/bin/python3", command, { cwd: workspace, stdio: "ignore" });
  const seconds = (performance.now() - since) / 1000;
  return { program, tool: "pytest, run once each", mutants: PLAIN_RUNS, killed: null, seconds };
}

function measureBothRunners(program: string, workspace: string, stryker: string): Figure[] {
  symlinkSync(join(stryker, "node_modules"), join(workspace, "node_modules"));
  const nodeArgs = ["--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"];
  const tap = { testFiles: [`${program}.test.js`], nodeArgs };
  const commandRunner = { command: "node --test" };
  return [
    measureStryker(program, workspace, "Stryker, tap runner", { testRunner: "tap", tap }),
    measureStryker(program, workspace, "Stryker, command runner", { testRunner: "command", commandRunner }),
  ];
}

function measureStryker(program: string, workspace: string, tool: string, runner: object): Figure {
  const settings = { ...runner, reporters: ["json"], mutate: [`${program}.js`], concurrency: 2 };
  writeFileSync(join(workspace, "stryker.conf.json"), JSON.stringify(settings));
  const since = performance.now();
  execFileSync(join(workspace, "node_modules", ".bin", "stryker"), ["run"], { cwd: workspace, stdio: "ignore" });
  const seconds = (performance.now() - since) / 1000;
  const report = JSON.parse(readFileSync(join(workspace, "reports", "mutation", "mutation.json"), "utf8"));
  const mutants = Object.values<{ mutants: { status: string }[] }>(report.files).flatMap((file) => file.mutants);
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed", "Timeout");
  return { program, tool, mutants: killed + count("Survived", "NoCoverage"), killed, seconds };
}

function toText(figures: readonly Figure[]): string {
  const rows = figures.map(({ program, tool, mutants, killed, seconds }) => {
    const own = figures.find((other) => other.program === program && other.tool === OURS);
    const share = (figure: Figure | undefined) => ((figure?.killed ?? Number.NaN) / (figure?.mutants ?? 0)) * 100;
    const score = share({ program, tool, mutants, killed, seconds });
    const points = killed === null ? "–" : Math.abs(score - share(own)).toFixed(1);
    const rate = mutants / seconds;
    const times = own ? `${(own.mutants / own.seconds / rate).toFixed(1)} ×` : "–";
    const found = killed === null ? "–" : `${killed} of ${mutants} (${score.toFixed(1)} %)`;
    return `| ${program} | ${tool} | ${found} | ${points} | ${rate.toFixed(1)} | ${times} |`;
  });
  const head = "| program | tool | killed | points apart | mutants a second | the command is faster by |";
  return `${[head, "|---|---|---|---|---|---|", ...rows].join("\n")}\n`;
}
