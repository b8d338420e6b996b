import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";

export interface RepairRates {
  /** Candidates a second while the search tries them, two sandboxes at once. */
  candidates: number;
  /** The same of JavaScript, with Node's own runner. */
  scripts: number;
  /** A bare `os.fork` of an interpreter that has loaded pytest, with the same tests in the child: a second, one after the other. */
  forks: number;
  /** A plain `pytest -q` for each candidate: a second, one after the other. */
  runs: number;
}

const SECONDS = 20;
const FORKS = 300;
const RUNS = 5;
/** No edit makes the last test pass: the search goes on until its time is over. */
const FILES = {
  "shapes.py": `def area(width, height):
    total = 0
    for _ in range(height):
        total += width
    return total


def border(width, height):
    if width <= 0 or height <= 0:
        return 0
    return 2 * (width + height)


def scale(width, height, factor):
    wide = width * factor
    high = height * factor
    if wide > high:
        return wide, high
    return high, wide
`,
  "test_shapes.py": `from shapes import area, border, scale


def test_area():
    assert area(2, 5) == 10


def test_border():
    assert border(2, 5) == 14


def test_never():
    assert [area(2, 5), border(1, 1), scale(1, 2, 3)] == object()
`,
};

/** The same in JavaScript. */
const SCRIPTS = {
  "package.json": '{ "type": "module" }\n',
  "shapes.js": `export function area(width, height) {
  let total = 0;
  for (let at = 0; at < height; at++) total += width;
  return total;
}

export function border(width, height) {
  if (width <= 0 || height <= 0) return 0;
  return 2 * (width + height);
}

export function scale(width, height, factor) {
  const wide = width * factor;
  const high = height * factor;
  if (wide > high) return [wide, high];
  return [high, wide];
}
`,
  "shapes.test.js": `import assert from "node:assert/strict";
import test from "node:test";
import { area, border, scale } from "./shapes.js";
test("area", () => assert.equal(area(2, 5), 10));
test("border", () => assert.equal(border(2, 5), 14));
test("never", () => assert.equal([area(2, 5), border(1, 1), scale(1, 2, 3)], null));
`,
};

const MEASURE = `
import os, subprocess, sys, time
sys.path.insert(0, os.getcwd())
import pytest, test_shapes
tests = [test_shapes.test_area, test_shapes.test_border, test_shapes.test_never]
since = time.perf_counter()
for _ in range(${FORKS}):
    pid = os.fork()
    if pid == 0:
        for test in tests:
            try:
                test()
            except AssertionError:
                pass
        os._exit(0)
    os.waitpid(pid, 0)
forks = ${FORKS} / (time.perf_counter() - since)
since = time.perf_counter()
for _ in range(${RUNS}):
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], stdout=subprocess.DEVNULL)
print(forks, ${RUNS} / (time.perf_counter() - since))
`;

/** How many candidates a second, with three tests of a millisecond. */
export async function measureRates(directory: string, say: (text: string) => void): Promise<RepairRates> {
  const workspace = writeFiles(join(directory, "rates", "work"), FILES);
  const scripts = writeFiles(join(directory, "rates", "scripts"), SCRIPTS);
  const dock = await createDock({ home: join(directory, "rates", "home") });
  try {
    say("bare forks, and plain runs of pytest");
    const { stdout, stderr } = await dock.exec({ language: "python", code: MEASURE, workspace });
    const [forks = 0, runs = 0] = stdout.trim().split(" ").map(Number);
    if (!(forks > 0 && runs > 0)) throw new Error(`nothing was measured: ${stdout}${stderr}`);
    say(`two searches of ${SECONDS} s`);
    return {
      candidates: await measureSearch(dock, workspace, "pytest -q"),
      scripts: await measureSearch(dock, scripts, "node --test"),
      forks,
      runs,
    };
  } finally {
    await dock.close();
  }
}

function writeFiles(directory: string, files: Record<string, string>): string {
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

async function measureSearch(dock: Dock, workspace: string, check: string): Promise<number> {
  let candidates = 0;
  await dock.goals.run({
    ...{ goal: "Make the tests pass", workspace, model: "repair", checks: [check] },
    repair: { seconds: SECONDS },
    onProgress: (progress) => {
      if (progress.kind === "repair" && progress.perSecond > 0) candidates = progress.perSecond;
    },
  });
  return candidates;
}
