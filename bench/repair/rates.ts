import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";

export interface RepairRates {
  /** Candidates a second while the search tries them, two sandboxes at once. */
  candidates: number;
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
  const workspace = join(directory, "rates", "work");
  mkdirSync(workspace, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(workspace, name), text);
  const dock = await createDock({ home: join(directory, "rates", "home") });
  try {
    say("bare forks, and plain runs of pytest");
    const { stdout, stderr } = await dock.exec({ language: "python", code: MEASURE, workspace });
    const [forks = 0, runs = 0] = stdout.trim().split(" ").map(Number);
    if (!(forks > 0 && runs > 0)) throw new Error(`nothing was measured: ${stdout}${stderr}`);
    say(`a search of ${SECONDS} s`);
    let candidates = 0;
    await dock.goals.run({
      ...{ goal: "Make the tests pass", workspace, model: "repair", checks: ["pytest -q"] },
      repair: { seconds: SECONDS },
      onProgress: (progress) => {
        if (progress.kind === "repair" && progress.perSecond > 0) candidates = progress.perSecond;
      },
    });
    return { candidates, forks, runs };
  } finally {
    await dock.close();
  }
}
