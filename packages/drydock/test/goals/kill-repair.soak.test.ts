import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDock } from "drydock";
import { expect, it, vi } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesOf } from "../../src/base/testing/processes.ts";
import { makeTemporaryDirectory } from "../../src/base/testing/temporary-directory.ts";
import { openGoalDock } from "../testing/goal-dock.ts";

const KILLS = 12;
/** A search that finds nothing and goes on: a kill hits it in the middle. */
const FILES = {
  "add.py": "def add(a, b):\n    total = a - b\n    if total < 0:\n        return -total\n    return total\n",
  "test_add.py": "from add import add\n\n\ndef test_add():\n    assert add(2, 3) == object()\n",
};
const TASK = { id: "fix", scope: ["add.py"], checks: [{ type: "command", cmd: "pytest -q" }] };
const MORE = { plan: { goal: "Fix add()", tasks: [TASK] }, repair: { seconds: 300, candidates: 100_000 } };
const FIRST_MS = 1500;
const STEP_MS = 1700;

it("a repair that is killed at any moment leaves nothing behind after the next start", async () => {
  const { home, workspace, dock: opened } = await openGoalDock(FILES);
  await opened.close();
  const pids: number[] = [];
  // A directory of its own for temporary files: others use the common one meanwhile.
  const temporary = makeTemporaryDirectory();
  vi.stubEnv("TMPDIR", temporary);
  for (let kill = 0; kill < KILLS; kill++) {
    const pid = await killAfter([home, workspace, "repair", "-1", JSON.stringify(MORE)], FIRST_MS + kill * STEP_MS);
    pids.push(pid);
    expect(await eventually(() => processesOf(home).length === 0), `processes of kill ${kill}`).toBe(true);
    const dock = await createDock({ home, warm: 1 });
    await dock.close();
    await eventually(() => listGroups(pids).length === 0);
    expect(listGroups(pids), `groups after kill ${kill}`).toEqual([]);
    expect(processesOf(home), `processes after kill ${kill}`).toEqual([]);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(home);
    expect(readdirSync(temporary), `directories after kill ${kill}`).toEqual([]);
  }
  expect(readFileSync(join(workspace, "add.py"), "utf8")).toBe(FILES["add.py"]);
  const dock = await createDock({ home, warm: 1 });
  expect((await dock.audit.verify()).ok).toBe(true);
  await dock.close();
});

async function killAfter(args: string[], ms: number): Promise<number> {
  const flags = ["--conditions=drydock-source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, "goal-child.ts"), ...args], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  await sleep(ms);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  return child.pid ?? 0;
}

/** Control groups that processes with these ids made. */
function listGroups(pids: readonly number[]): string[] {
  const roots = ["pids", "memory", "cpuacct", ""].map((name) => join("/sys/fs/cgroup", name));
  return roots.flatMap((root) => {
    try {
      return readdirSync(root).filter((name) => pids.some((pid) => name.startsWith(`drydock-${pid}-`)));
    } catch {
      return [];
    }
  });
}
