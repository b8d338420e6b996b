import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processesOf } from "../../src/base/testing/processes.ts";
import { openGoalDock } from "../testing/goal-dock.ts";

const CANDIDATES = 10_000;
const MIB = 1024 * 1024;

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

it("memory, disk, processes and mounts stay flat over 10,000 candidates", { timeout: 7_200_000 }, async () => {
  const { home, run } = await openGoalDock(FILES);
  const measures: Measure[] = [];
  const measure = (tried: number): Measure => ({
    tried,
    rssBytes: process.memoryUsage.rss(),
    homeBytes: sizeOf(home),
    temporary: readdirSync(tmpdir()).filter((name) => name.startsWith("drydock")).length,
    processes: processesOf(home).length,
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").length,
  });
  const { repairs } = await run([], {
    goal: "Fix add_up()",
    model: "repair",
    repair: { seconds: 3600, candidates: CANDIDATES },
    onProgress(progress) {
      if (progress.kind !== "repair") return;
      const { tried } = progress;
      if (tried >= (measures.at(-1)?.tried ?? 0) + CANDIDATES / 10) measures.push(measure(tried));
    },
  });
  expect(repairs).toMatchObject([{ found: 0, tried: CANDIDATES, stopped: "limit" }]);
  const [early, late] = [measures[1], measures.at(-1)];
  if (!early || !late) throw new Error("nothing was measured");
  process.stderr.write(`${measures.map((each) => JSON.stringify(each)).join("\n")}\n`);
  expect(late.rssBytes - early.rssBytes).toBeLessThan(96 * MIB);
  expect(late.homeBytes - early.homeBytes).toBeLessThan(8 * MIB);
  expect(late.temporary - early.temporary).toBeLessThan(4);
  expect(late.mounts).toBe(early.mounts);
  expect(late.processes).toBeLessThanOrEqual(early.processes + 8);
});

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
