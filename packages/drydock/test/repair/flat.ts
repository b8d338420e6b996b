import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { processesOf } from "../../src/base/testing/processes.ts";
import { openGoalDock } from "../testing/goal-dock.ts";

const MIB = 1024 * 1024;
const MEASURES = 10;

/** Many places to edit, all of them executed by a test that nothing mends. */
const lines = Array.from({ length: 120 }, (_, at) => `    total = total + width * ${at} - height\n`);
const FILES = {
  "sum.py": `def add_up(width, height):\n    total = 0\n${lines.join("")}    return total\n`,
  "test_sum.py": "from sum import add_up\ndef test_never():\n    assert add_up(2, 3) == object()\n",
};

interface Measure {
  tried: number;
  rssBytes: number;
  homeBytes: number;
  temporary: number;
  processes: number;
  mounts: number;
}

/** A search over so many candidates, that finds nothing: what it takes of the machine does not grow with them. */
export async function expectFlat(candidates: number, most: { rssMib: number; homeMib: number }): Promise<void> {
  const { home, run } = await openGoalDock(FILES);
  const measures: Measure[] = [];
  const measure = (tried: number): Measure => ({
    tried,
    rssBytes: process.memoryUsage.rss(),
    homeBytes: sizeOf(home),
    temporary: listOwn().length,
    processes: processesOf(home).length,
    mounts: countMounts(home),
  });
  const { repairs } = await run([], {
    goal: "Fix add_up()",
    model: "repair",
    repair: { seconds: 3600, candidates },
    onProgress(progress) {
      if (progress.kind !== "repair" || progress.phase !== "search") return;
      const { tried } = progress;
      if (tried < (measures.at(-1)?.tried ?? 0) + candidates / MEASURES) return;
      const now = measure(tried);
      measures.push(now);
      process.stderr.write(`${JSON.stringify(now)}\n`);
    },
  });
  expect(repairs).toMatchObject([{ found: 0, tried: candidates, stopped: "limit" }]);
  const [early, late] = [measures[Math.min(1, measures.length - 2)], measures.at(-1)];
  if (!early || !late) throw new Error("nothing was measured");
  expect(late.tried).toBeGreaterThan(early.tried);
  expect(late.rssBytes - early.rssBytes).toBeLessThan(most.rssMib * MIB);
  expect(late.homeBytes - early.homeBytes).toBeLessThan(most.homeMib * MIB);
  expect(late.temporary - early.temporary).toBeLessThan(4);
  expect(late.mounts).toBe(early.mounts);
  expect(late.processes).toBeLessThanOrEqual(early.processes + 8);
}

/** Directories that this process's sandboxes have made; those of other docks are theirs. */
function listOwn(): string[] {
  const places = join(tmpdir(), `drydock-${process.getuid?.() ?? 0}`);
  return readdirSync(places)
    .filter((name) => name.startsWith(`${process.pid}-`))
    .flatMap((name) => [name, ...readdirSync(join(places, name))]);
}

function countMounts(home: string): number {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return mounts.filter((line) => line.includes(home) || line.includes(`/${process.pid}-`)).length;
}

/** Bytes of everything below a directory; what goes meanwhile counts nothing. */
function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    try {
      return entry.isFile() ? sum + statSync(join(entry.parentPath, entry.name)).size : sum;
    } catch {
      return sum;
    }
  }, 0);
}
