import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDock } from "drydock";
import { expect, it } from "vitest";
import { eventually } from "../../src/base/testing/eventually.ts";
import { processesOf } from "../../src/base/testing/processes.ts";
import { openGoalDock } from "../testing/goal-dock.ts";

const KILLS = 12;
/** A search that finds nothing, with tests that take their time: each kill hits it in the middle. */
const FILES = {
  "add.py": "def add(a, b):\n    total = a - b\n    if total < 0:\n        return -total\n    return total\n",
  "test_add.py":
    "import time\nfrom add import add\n\n\ndef test_add():\n    time.sleep(0.3)\n    assert add(2, 3) == object()\n",
};
const TASK = { id: "fix", scope: ["add.py"], checks: [{ type: "command", cmd: "pytest -q" }] };
const MORE = { plan: { goal: "Fix add()", tasks: [TASK] }, repair: { seconds: 300, candidates: 100_000 } };
const FIRST_MS = 1500;
const STEP_MS = 1700;

it("a repair that is killed at any moment leaves nothing behind after the next start", async () => {
  const { home, workspace, dock: opened } = await openGoalDock(FILES);
  await opened.close();
  const pids: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const pid = await killAfter([home, workspace, "repair", "-1", JSON.stringify(MORE)], FIRST_MS + kill * STEP_MS);
    pids.push(pid);
    expect(await eventually(() => processesOf(home).length === 0, 30_000), `processes of kill ${kill}`).toBe(true);
    // On a busy machine, processes that were killed take a while to end.
    expect(await eventually(() => listGroups(pids).every(isEmpty), 30_000), `members of kill ${kill}`).toBe(true);
    // The first run starts a sandbox, which collects what others have left.
    const dock = await createDock({ home, warm: 1 });
    expect(await dock.exec({ language: "python", code: "1" }), `the run after kill ${kill}`).toMatchObject({
      ok: true,
    });
    await dock.close();
    await eventually(() => listGroups(pids).length === 0);
    expect(listGroups(pids), `groups after kill ${kill}`).toEqual([]);
    expect(processesOf(home), `processes after kill ${kill}`).toEqual([]);
    expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(home);
    expect(listPlaces(pids), `directories after kill ${kill}`).toEqual([]);
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
      const names = readdirSync(root).filter((name) => pids.some((pid) => name.startsWith(`drydock-${pid}-`)));
      return names.map((name) => join(root, name));
    } catch {
      return [];
    }
  });
}

function isEmpty(group: string): boolean {
  const slots = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const places = [group, ...slots.map(({ name }) => join(group, name))];
  return places.every((place) => readFileSync(join(place, "cgroup.procs"), "utf8") === "");
}

/** Directories of processes with these ids; those of other docks are theirs. */
function listPlaces(pids: readonly number[]): string[] {
  const names = readdirSync(join(tmpdir(), `drydock-${process.getuid?.() ?? 0}`));
  return names.filter((name) => pids.some((pid) => name.startsWith(`${pid}-`)));
}
