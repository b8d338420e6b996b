import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";
import { expect } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesOf } from "../../src/base/testing/processes.ts";
import { controlGroupsOf } from "./kill-host.ts";

const AT_ONCE = 8;
const WARM = 2;
/** A fork server's own: itself, its broker, and where there are control groups a lookout. */
export const AROUND = process.getuid?.() === 0 ? 3 : 2;
/** Two fork servers, each with its Python members of two processes, and the Node members of one of them. */
const FULL_POOLS = 2 * (AROUND + 2 * WARM) + 2 * Math.ceil(WARM / 2);
/** Enough for every pool to be full and every lazy part to be open. */
const WARM_UP_RUNS = 40;

/** So many runs of every kind through one dock; what it holds afterwards is what it held when it was warm. */
export async function runMany(runs: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "drydock-soak-"));
  const home = join(directory, "home");
  const workspace = join(directory, "workspace");
  mkdirSync(home);
  mkdirSync(workspace);
  writeFileSync(join(home, "policy.yaml"), `version: 1\nlimits: { concurrency: ${AT_ONCE} }\n`);
  writeFileSync(join(workspace, "a.txt"), "a\n");
  try {
    const dock = await createDock({ home, warm: WARM });
    const processes = () => processesOf(home).length;
    const descriptors = () => readdirSync("/proc/self/fd").length;
    await runAll(dock, workspace, WARM_UP_RUNS);
    await eventually(() => processes() === FULL_POOLS, 60_000);
    expect(processes(), "processes of a warm dock").toBe(FULL_POOLS);
    const before = descriptors();
    await runAll(dock, workspace, runs);
    await eventually(() => processes() <= FULL_POOLS && descriptors() <= before, 10_000);
    expect(processes(), "processes").toBeLessThanOrEqual(FULL_POOLS);
    expect(descriptors(), "descriptors").toBeLessThanOrEqual(before);
    expect((await dock.runs.list({ status: "running" })).runs).toEqual([]);
    expect(await dock.audit.verify()).toMatchObject({ ok: true });
    const held = processesOf(home);
    await dock.close();
    const left = () => [...processesOf(home), ...held.filter((pid) => existsSync(`/proc/${pid}`))];
    expect(await eventually(() => left().length === 0), "no process outlives the dock").toBe(true);
    expect(controlGroupsOf(process.pid), "control groups").toEqual([]);
    const places = join(tmpdir(), `drydock-${process.getuid?.()}`);
    expect(readdirSync(places).filter((name) => name.startsWith(`${process.pid}-`))).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function runAll(dock: Dock, workspace: string, runs: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < runs) {
      const number = next++;
      const { code, ...outcome } = await runOne(dock, workspace, number);
      expect(outcome, code).toEqual({ ended: true });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function runOne(dock: Dock, workspace: string, number: number): Promise<{ code: string; ended: boolean }> {
  if (number % 10 === 9) {
    const session = await dock.sessions.open();
    await session.exec("x = 1");
    await session.exec("1/0");
    const last = await session.exec("x");
    await session.close();
    return { code: "session", ended: last.result === 1 };
  }
  const [language, code, expected, more] = KINDS[number % KINDS.length] ?? KINDS[0];
  const run = await dock.exec({ language, code, ...more, ...(code.includes("a.txt") ? { workspace } : {}) });
  return { code: `${code} ${JSON.stringify(run.error)}`, ended: (run.error?.code ?? "ok") === expected };
}

type Kind = [language: "python" | "node" | "bash", code: string, expected: string, more?: Parameters<Dock["exec"]>[0]];

const KINDS: [Kind, ...Kind[]] = [
  ["python", "print(1)", "ok"],
  ["python", "open('a.txt', 'a').write('b')", "ok"],
  ["python", "raise ValueError", "code.exception"],
  ["bash", "sleep 5 & echo x > a.txt", "ok"],
  ["node", "console.log(1)", "ok"],
  ["python", "import numpy\nnumpy.arange(3).sum().item()", "ok"],
  ["python", "import time\ntime.sleep(9)", "limit.timeout", { policy: { limits: { wallSeconds: 0.2 } } }],
  ["bash", "yes", "limit.output", { policy: { limits: { outputMb: 0.1 } } }],
  ["python", "import os\nos.kill(os.getpid(), 9)", "code.crash"],
  ["node", "throw 1", "code.exception"],
  ["python", "input()", "ok", { stdin: "x\n" }],
];
