import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processesOf } from "../../src/base/testing/processes.ts";
import type { RepairProgress } from "../../src/engine/repair/index.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { repair } from "./search.ts";

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

const test = openTestDock();

it("memory, disk, processes and mounts stay flat over 10,000 candidates", { timeout: 7_200_000 }, async () => {
  const { home } = test;
  const measures: Measure[] = [];
  const measure = (tried: number): Measure => ({
    tried,
    rssBytes: process.memoryUsage.rss(),
    homeBytes: sizeOf(home),
    temporary: readdirSync(tmpdir()).length,
    processes: processesOf(home).length,
    mounts: readFileSync("/proc/self/mountinfo", "utf8").split("\n").length,
  });
  const onProgress = ({ tried }: RepairProgress) => {
    if (tried >= (measures.at(-1)?.tried ?? 0) + CANDIDATES / 10) measures.push(measure(tried));
  };
  const outcome = await repair(test.dock, FILES, "pytest -q", {
    limits: { seconds: 7000, candidates: CANDIDATES },
    onProgress,
  });
  expect(outcome).toMatchObject({ found: [], tried: CANDIDATES });
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
