/**
 * `npm run bench:strength [-- --json]`: mutants killed by Drydock and by Stryker on the same programs with the same
 * tests, side by side. Stryker is installed into a temporary directory.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execFileSync } from "node:child_process";

interface Figure {
  program: string;
  tool: string;
  mutants: number;
  killed: number;
  seconds: number;
}

const PROGRAMS = join(import.meta.dirname, "strength", "programs");
const MAIN = join(import.meta.dirname, "..", "packages", "drydock", "src", "surfaces", "cli", "main.ts");
const STRYKER = "@stryker-mutator/core@10.0.0";
const STRYKER_TAP = "@stryker-mutator/tap-runner@10.0.0";

const { values: options } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const directory = mkdtempSync(join(tmpdir(), "drydock-strength-"));
try {
  const figures = measureAll();
  process.stdout.write(options.json ? `${JSON.stringify(figures, null, 2)}\n` : toText(figures));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function measureAll(): Figure[] {
  const stryker = installStryker();
  const names = readdirSync(PROGRAMS);
  const figures: Figure[] = [];
  for (const program of names) {
    const workspace = join(directory, program);
    cpSync(join(PROGRAMS, program), workspace, { recursive: true });
    writeFileSync(join(workspace, "package.json"), '{ "type": "module" }\n');
    const checks = join(directory, `${program}.json`);
    writeFileSync(checks, JSON.stringify({ checks: [{ type: "command", cmd: "node --test" }] }));
    figures.push(measureDrydock(program, workspace, checks));
    if (!stryker) continue;
    symlinkSync(join(stryker, "node_modules"), join(workspace, "node_modules"));
    const tap = { testFiles: [`${program}.test.js`], nodeArgs: ["--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"] };
    figures.push(measureStryker(program, workspace, "Stryker (tap runner)", { testRunner: "tap", tap }));
    const commandRunner = { command: "node --test" };
    figures.push(measureStryker(program, workspace, "Stryker (command runner)", { testRunner: "command", commandRunner }));
  }
  return figures;
}

function installStryker(): string | null {
  const place = join(directory, "stryker");
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), "{}");
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", STRYKER, STRYKER_TAP], { cwd: place, stdio: "ignore" });
    return place;
  } catch {
    process.stderr.write("Stryker could not be installed: Drydock is measured alone.\n");
    return null;
  }
}

function measureDrydock(program: string, workspace: string, checks: string): Figure {
  const args = ["verify", "--checks", checks, "--workspace", workspace, "--strength", "--mutants", "1000", "--json"];
  const env = { ...process.env, DRYDOCK_HOME: join(directory, "home") };
  const since = performance.now();
  const output = execFileSync(process.execPath, ["--conditions=drydock-source", MAIN, ...args], { env, encoding: "utf8" });
  const seconds = (performance.now() - since) / 1000;
  const { strength } = JSON.parse(output);
  return { program, tool: "Drydock", mutants: strength.total, killed: strength.killed, seconds };
}

function measureStryker(program: string, workspace: string, tool: string, runner: object): Figure {
  const settings = { ...runner, reporters: ["json"], mutate: [`${program}.js`], concurrency: 2, symlinkNodeModules: true };
  writeFileSync(join(workspace, "stryker.conf.json"), JSON.stringify(settings));
  const since = performance.now();
  execFileSync(join(workspace, "node_modules", ".bin", "stryker"), ["run"], { cwd: workspace, stdio: "ignore" });
  const seconds = (performance.now() - since) / 1000;
  const report = JSON.parse(readFileSync(join(workspace, "reports", "mutation", "mutation.json"), "utf8"));
  const statuses = Object.values<{ mutants: { status: string }[] }>(report.files).flatMap(({ mutants }) => mutants);
  const killed = statuses.filter(({ status }) => status === "Killed" || status === "Timeout").length;
  const tried = statuses.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status)).length;
  return { program, tool, mutants: tried, killed, seconds };
}

function toText(figures: readonly Figure[]): string {
  const rows = figures.map(({ program, tool, mutants, killed, seconds }) => {
    const own = figures.find((other) => other.program === program && other.tool === "Drydock");
    const score = (killed / mutants) * 100;
    const points = own ? Math.abs(score - (own.killed / own.mutants) * 100).toFixed(1) : "";
    const times = own ? (own.mutants / own.seconds / (mutants / seconds)).toFixed(1) : "";
    const rate = (mutants / seconds).toFixed(1);
    return `| ${program} | ${tool} | ${killed} of ${mutants} | ${score.toFixed(1)} % | ${points} | ${rate} | ${times} × |`;
  });
  const head = "| program | tool | killed | score | points apart | mutants a second | Drydock is faster |";
  return `${[head, "|---|---|---|---|---|---|---|", ...rows].join("\n")}\n`;
}
