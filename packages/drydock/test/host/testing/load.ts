import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { expect } from "vitest";
import { LANGUAGES, type Language } from "./matrix.ts";

export interface LoadOptions {
  dock: Dock;
  directory: string;
  plugins: number;
  atOnce: number;
  seconds: number;
}

/** What a run may come to while plugins are killed. */
const ENDS = [null, "runner.channel_lost", "runner.unavailable"];

/**
 * So many conversations at once over so many plugins, whose processes are killed at random. Each conversation must get its own
 * words back, or a failure that says why, and must find nothing of another one in its history.
 */
export async function loadHost({ dock, directory, plugins, atOnce, seconds }: LoadOptions) {
  const names: string[] = [];
  for (let index = 0; index < plugins; index++) names.push(await addPlugin(dock, directory, index));
  const endMs = performance.now() + seconds * 1000;
  const counts = { answered: 0, failed: 0, killed: 0 };
  const runIds: string[] = [];

  const talk = async (index: number): Promise<void> => {
    const conversation = { conversation_id: `talk-${index}`, workspace_id: names[index % plugins] };
    for (let turn = 0; turn === 0 || performance.now() < endMs; turn++) {
      const words = `secret-${index}-${turn}`;
      const asks = turn % 3 === 2;
      const text = asks ? 'call history_page {"limit": 20}' : `stream ${words}`;
      const result = await dock.host.send({ type: "message.received", conversation, input: { text } });
      if (result.kind !== "answered") throw new Error(`${text}: ${result.kind}`);
      runIds.push(result.runId);
      expect(ENDS).toContain(result.error?.code ?? null);
      counts[result.ok ? "answered" : "failed"]++;
      if (!result.ok) continue;
      if (!asks) expect(result.text).toBe(words);
      const others = [...result.text.matchAll(/secret-(\d+)-/g)].filter(([, whose]) => Number(whose) !== index);
      expect(others).toEqual([]);
    }
  };

  const kill = async () => {
    while (performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const pids = findProcesses();
      const pid = pids[Math.floor(Math.random() * pids.length)];
      if (pid !== undefined) counts.killed += endProcess(pid);
    }
  };
  await Promise.all([...Array.from({ length: atOnce }, (_, index) => talk(index)), kill()]);

  expect(new Set(runIds).size).toBe(runIds.length);
  for (const id of runIds.slice(-500)) expect((await dock.runs.get(id)).status).toMatch(/^(succeeded|failed)$/);
  const { runs } = await dock.runs.list({ status: "running", limit: 500 });
  expect(runs.filter(({ kind }) => kind === "runner")).toEqual([]);
  expect(await dock.audit.verify()).toMatchObject({ ok: true });
  expect(counts.answered).toBeGreaterThan(counts.failed);
  expect(counts.killed).toBeGreaterThan(0);
  return counts;
}

const MARK = `load-${process.pid}-`;

async function addPlugin(dock: Dock, directory: string, index: number): Promise<string> {
  const language: Language = index % 2 === 0 ? "TypeScript" : "Python";
  const { source, runtime, command } = LANGUAGES[language];
  const name = `${MARK}${index}`;
  const place = join(directory, name);
  cpSync(source, place, { recursive: true, filter: (path) => !path.includes("__pycache__") });
  const manifest = { author: "drydock-test", name, version: "1.0.0", runtime, command: [...command, "--name", name] };
  writeFileSync(join(place, "plugin.yaml"), JSON.stringify(manifest));
  await dock.host.plugins.add(place);
  await dock.host.agents.add({ name, runner: `plugin:drydock-test/${name}/behave` });
  await dock.host.agents.bind({ agent: name, scope: "workspace", value: name });
  return name;
}

/** Processes of this test's plugins, by the name that only they have in their command line. */
function findProcesses(): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return words.some((word) => word.startsWith(MARK)) && /main\.(ts|py)/.test(words.join(" ")) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function endProcess(pid: number): number {
  try {
    process.kill(pid, "SIGKILL");
    return 1;
  } catch {
    return 0;
  }
}
