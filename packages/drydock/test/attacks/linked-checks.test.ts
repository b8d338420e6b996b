import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const SOURCE = { "add.py": "def add(a, b):\n    return a - b\n" };
const CHECK = "import sys\nsys.path.insert(0, '/work')\nfrom add import add\nassert add(2, 3) == 5\n";
const EMPTY = "print('ok')\n";
const FIX = { path: "add.py", content: "def add(a, b):\n    return a + b\n" };

interface Attack {
  files: Record<string, string>;
  links: Record<string, string>;
  cmd: string;
  answers: readonly unknown[];
}

async function attack({ files, links, cmd, answers }: Attack) {
  const t = await openGoalDock({ ...SOURCE, ...files });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(t.workspace, path));
  const tasks = [{ id: "a", title: "a", scope: ["**"], attempts: 1, checks: [{ type: "command", cmd }] }];
  const { verdict, delivery } = await t.run(answers, { plan: { goal: "attack", tasks } });
  const guarded = t.data("check.finished").flatMap(({ implied, evidence }) => (implied ? [Object(evidence).path] : []));
  return { verdict, delivery, guarded };
}

// Also for an ordinary user, whose sandbox can't look into a process that has hidden its memory.
it.each(["pytest -q", "python3 tools/run.py", "bash -c 'python3 tools/run.py'"])(
  "an honest change passes by %s",
  async (cmd) => {
    const test = "from add import add\ndef test_add():\n    assert add(2, 3) == 5\n";
    const files = { "tools/run.py": CHECK, "test_add.py": test };
    const { verdict, delivery } = await attack({ files, links: {}, cmd, answers: [{ writes: [FIX] }] });
    expect([verdict, delivery]).toEqual(["passed", "applied"]);
  },
);

const write = (path: string, content: string) => [{ writes: [{ path, content }] }];
const tool = { "tools/run.py": CHECK };

describe("a check whose script is reached by a link of the workspace", () => {
  it.each<[string, Attack, string]>([
    [
      "a directory's",
      {
        files: tool,
        links: { scripts: "tools" },
        cmd: "python3 scripts/run.py",
        answers: write("tools/run.py", EMPTY),
      },
      "tools/run.py",
    ],
    [
      "its own",
      {
        files: tool,
        links: { "run.py": "tools/run.py" },
        cmd: "python3 run.py",
        answers: write("tools/run.py", EMPTY),
      },
      "tools/run.py",
    ],
    [
      "one that is replaced by a file",
      { files: tool, links: { "run.py": "tools/run.py" }, cmd: "python3 run.py", answers: write("run.py", EMPTY) },
      "run.py",
    ],
  ])("is not passed by changing what is behind it: %s", async (_what, cheat, path) => {
    expect(await attack(cheat)).toEqual({ verdict: "failed", delivery: "nothing", guarded: [path] });
  });

  it("does not count for what holds no expectation of its own", async () => {
    const files = { "tools/run.py": "exec(open('/work/judge.txt').read())\n", "judge.txt": CHECK };
    const cheat = { files, links: { scripts: "tools" }, cmd: "python3 scripts/run.py" };
    const { delivery } = await attack({ ...cheat, answers: write("tools/run.py", EMPTY) });
    expect(delivery).toBe("nothing");
  });
});

describe("a virtual environment that is a link into the workspace", () => {
  const files = {
    "env/pyvenv.cfg": "home = /nowhere/bin\nversion = 3.11.1\n",
    "env/bin/run": `#!/nowhere/bin/python3\n${CHECK}`,
    "test_add.py":
      "import unittest\nfrom add import add\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add(2, 3), 5)\n",
  };
  const links = { ".venv": "env" };

  it.each([
    ["changed", "env/bin/run", []],
    ["added", "env/bin/other", [FIX]],
  ])("is not %s by the work that its programs judge", async (_how, path, more) => {
    const answers = [{ writes: [{ path, content: `#!/nowhere/bin/python3\n${EMPTY}` }, ...more] }];
    const cmd = more.length === 0 ? "run" : "python3 -m unittest";
    const { verdict, delivery, guarded } = await attack({ files, links, cmd, answers });
    expect([verdict, delivery, guarded]).toEqual(["failed", "nothing", [path]]);
  });
});
