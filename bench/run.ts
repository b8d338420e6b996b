/** `npm run bench [-- --rounds N] [--slices N] [--blocks N] [--only NAME,…] [--json] [--assert]`: the dock against the same work unprotected. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createDock } from "drydock";
import { measureBlocks } from "./blocks.ts";
import { measureForks } from "./forks.ts";
import { measureGoals } from "./goals.ts";
import { measureHost } from "./host.ts";
import { describeMachine } from "./machine.ts";
import { judgeMarks } from "./marks.ts";
import { measureCrowd, measureRounds } from "./measure.ts";
import { measureMembers } from "./memory.ts";
import { type Report, toJson, toText } from "./report.ts";
import { findSandboxes } from "./sandboxes.ts";
import type { Bench, Scenario } from "./scenario.ts";
import { describeBackends } from "./scenarios/backends.ts";
import { describeCommandLine } from "./scenarios/command-line.ts";
import { describeExtensions } from "./scenarios/extensions.ts";
import { describeHttp } from "./scenarios/http.ts";
import { describeLanguages } from "./scenarios/languages.ts";
import { describeLayers } from "./scenarios/layers.ts";
import { describeNetwork } from "./scenarios/network.ts";
import { describeSessions } from "./scenarios/sessions.ts";

const AT_ONCE = 8;
const FACTORIES = {
  languages: { describe: describeLanguages, names: ["python", "data", "node", "bash"] },
  network: { describe: describeNetwork, names: ["python-network", "node-network", "bash-network"] },
  backends: { describe: describeBackends, names: ["backends"] },
  sessions: { describe: describeSessions, names: ["session"] },
  layers: { describe: describeLayers, names: ["layer"] },
  extensions: { describe: describeExtensions, names: ["echo"] },
  http: { describe: describeHttp, names: ["http"] },
  commandLine: { describe: describeCommandLine, names: ["cli"] },
};

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    slices: { type: "string", default: "5" },
    blocks: { type: "string", default: "8" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    assert: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const only = options.only.split(",").filter(Boolean);
const known = [...Object.values(FACTORIES).flatMap(({ names }) => names), "forks", "goals", "host"];
const unknown = only.filter((name) => !known.includes(name));
if (!Number.isInteger(rounds) || rounds < 1 || unknown.length > 0) {
  console.error(
    `usage: npm run bench -- [--rounds N] [--slices N] [--blocks N] [--only ${known.join(",")}] [--json] [--assert]`,
  );
  process.exit(2);
}
const say = (text: string) => process.stderr.write(`${text}\n`);
const progress = (text: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : "");

const directory = mkdtempSync(join(tmpdir(), "drydock-bench-"));
const python = realpathSync("/usr/bin/python3");
const node = process.execPath;
const root = dirname(import.meta.dirname);
const machine = describeMachine(python);
const { found, missing } = findSandboxes({ directory, readable: [dirname(node)] });
const ends: (() => Promise<void>)[] = [];
const dock = await createDock({ home: join(directory, "home"), python });
try {
  const bench: Bench = { dock, python, node, directory, root, sandboxes: found, say, later: (end) => ends.push(end) };
  const scenarios: Scenario[] = [];
  for (const { describe, names } of Object.values(FACTORIES)) {
    if (only.length > 0 && !names.some((name) => only.includes(name))) continue;
    scenarios.push(...(await describe(bench)).filter(({ name }) => only.length === 0 || only.includes(name)));
  }
  say(`measuring ${scenarios.map(({ name }) => name).join(", ")}: ${rounds} rounds, load ${machine.loadAtStart}`);
  const samples = await measureRounds(scenarios, rounds, (round) =>
    progress(round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`),
  );
  progress("");
  await sleep(1000);
  const memory = measureMembers(process.pid);
  const works = (scenario: string, side: string) =>
    samples.some((one) => one.scenario === scenario && one.side === side && one.problem === undefined);
  const crowds = await measureCrowd(scenarios, AT_ONCE, Number(options.slices), 1000, works, (slice) =>
    progress(`${AT_ONCE} at once, slice ${slice + 1} of ${options.slices}`),
  );
  progress("");
  const blocks = await measureBlocks(scenarios, Number(options.blocks), works, (block) =>
    progress(`blocks of back-to-back runs, ${block + 1} of ${options.blocks}`),
  );
  progress("");
  const forks = only.length === 0 || only.includes("forks") ? await measureForks(directory, progress) : undefined;
  progress("");
  const goals = only.length === 0 || only.includes("goals") ? await measureGoals(directory, say) : undefined;
  const host = only.length === 0 || only.includes("host") ? await measureHost(directory, say) : undefined;
  const report: Report = {
    machine,
    rounds,
    missing,
    samples,
    crowds,
    blocks,
    memory,
    forks,
    goals,
    host,
    scenarios,
    marks: judgeMarks({ samples, crowds, memory, forks, goals, host }),
  };
  const results = join(root, "bench", "results");
  mkdirSync(results, { recursive: true });
  const json = `${JSON.stringify(toJson(report), null, 2)}\n`;
  writeFileSync(join(results, "latest.json"), json);
  process.stdout.write(options.json ? json : `${toText(report)}\n`);
  if (options.assert && report.marks.some(({ met }) => !met)) process.exitCode = 1;
} finally {
  for (const end of ends) await end();
  await dock.close();
  rmSync(directory, { recursive: true, force: true });
}
