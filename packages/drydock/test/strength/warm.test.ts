import { describe, expect, it } from "vitest";
import { measureChangeStrength } from "../../src/engine/mutate/strength/measure-source.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createDockRunner, type Files, POLICY } from "../verify/judge.ts";
import { makeMutableTree, measureFiles } from "./mutable-tree.ts";
import { compareWarm, NODE, PYTHON } from "./warm-files.ts";

/** Mutants that are tried here; `npm run soak` tries all of them. */
const SOME = 18;

const test = openTestDock();

describe("many mutants in one sandbox", () => {
  it.each([
    ["pytest -q", PYTHON],
    ["node --test", NODE],
  ])("give with %s what a sandbox for each gives", (cmd, files) => compareWarm(test.dock, cmd, files, SOME), 240_000);

  it("are run one by one where a file has the name of a loaded module, or where tests write files or make directories", async () => {
    const shadow = {
      "enum.py": "x = 1\n",
      "a.py": "def f(): return 1 + 1\n",
      "check.py": "import a\nassert a.f() == 2\n",
    };
    const writes = {
      "a.py": "def f(): return 1 + 1\n",
      "check.py": "import a\nopen('out', 'w').write('x')\nassert a.f() == 2\n",
    };
    for (const files of [shadow, writes]) {
      const strength = await measureFiles(test.dock, files, "python3 check.py", { limit: 4 });
      expect(strength).toMatchObject({ total: 4 });
      expect(strength.killed).toBeGreaterThanOrEqual(2);
    }
    // A second run in the same sandbox would find the directory, and seem to notice every mutant.
    const makes = {
      "a.py": "def f(): return 1 + 1\n",
      "check.py": "import a, os\nos.mkdir('out')\na.f()\n",
    };
    const [warm, cold] = [true, false].map((isWarm) =>
      measureFiles(test.dock, makes, "python3 check.py", { limit: 4, isWarm }),
    );
    expect((await warm)?.killed).toBe((await cold)?.killed);
  }, 120_000);
});

describe("the strength of a change", () => {
  const before = {
    "a.py": "def old(x):\n    return x + 1\n",
    "test_a.py": "from a import old\ndef test_old(): assert old(1) == 2\n",
  };
  const after = { ...before, "a.py": `${before["a.py"]}def new(x):\n    return x * 2\n` };
  const measure = (files: Files, limit?: number) => {
    const tree = makeMutableTree(files);
    const earlier = makeMutableTree(before);
    const checks = [
      { type: "file_exists", path: "a.py" },
      { type: "command", cmd: "pytest -q" },
    ] as const;
    let runs = 0;
    const runner = createDockRunner(test.dock);
    const counted: typeof runner = {
      run: (run) => {
        runs += 1;
        return runner.run(run);
      },
    };
    const options = { tree, before: earlier, checks, policy: POLICY, runner: counted, limit };
    return measureChangeStrength(options).then((strength) => ({ strength, runs }));
  };

  it("is about what the change added, and about nothing else", async () => {
    const { strength } = await measure(after);
    expect(strength.survivors.map(({ path, line }) => `${path}:${line}`)).toEqual([
      "a.py:4",
      "a.py:4",
      "a.py:4",
      "a.py:4",
    ]);
    expect(strength).toMatchObject({ killed: 0, total: 4, found: 4, score: 0, seed: 1 });
    const tested = { ...after, "test_new.py": "from a import new\ndef test_new(): assert new(3) == 6\n" };
    expect((await measure(tested)).strength).toMatchObject({ killed: 4, score: 1 });
  }, 120_000);

  it("is measured once for the same trees and checks", async () => {
    const first = await measure(after, 3);
    const again = await measure(after, 3);
    expect(first.runs).toBeGreaterThan(0);
    expect(again).toEqual({ strength: first.strength, runs: 0 });
  }, 120_000);

  it("has no figure where nothing was added", async () => {
    expect((await measure(before)).strength).toMatchObject({ total: 0, score: null });
  });
});
