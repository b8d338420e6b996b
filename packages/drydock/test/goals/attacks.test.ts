import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GoalDock, openGoalDock } from "../testing/goal-dock.ts";

const TEST =
  "import unittest\nfrom add import add\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(add(2, 3), 5)\n";
const FILES = { "add.py": "def add(a, b):\n    return a - b\n", "test_add.py": TEST };
const FIX = { path: "add.py", content: "def add(a, b):\n    return a + b\n" };
const HOLDS = { type: "file_exists", path: "add.py" };
const UNITTEST = { type: "command", cmd: "python3 -m unittest" };
const task = (id: string, extra: object = {}) => ({ id, attempts: 1, checks: [UNITTEST], ...extra });
const plan = (...tasks: object[]) => ({ goal: "attack", tasks });
const runTool = (code: string) => ({ toolCalls: [{ name: "run", arguments: { cmd: `python3 -c '${code}'` } }] });
const read = (t: GoalDock, path: string) => readFileSync(join(t.workspace, path), "utf8");
const implied = (t: GoalDock) =>
  t.data("check.finished").flatMap(({ implied: isImplied, evidence }) => (isImplied ? [Object(evidence).path] : []));

describe("what checks execute", () => {
  it("is not replaced by another task, one that these checks do not judge", async () => {
    const t = await openGoalDock({ ...FILES, "check.py": "import sys\nsys.exit(1)\n" });
    const writes = [
      { path: "notes.md", content: "x" },
      { path: "unittest.py", content: "import sys\nsys.exit(0)\n" },
      { path: "check.py", content: "" },
    ];
    const first = task("first", { checks: [{ type: "file_exists", path: "notes.md" }] });
    const second = task("second", {
      dependsOn: ["first"],
      checks: [UNITTEST, { type: "command", cmd: "python3 check.py" }],
    });
    const result = await t.run([{ when: { task: "first" }, writes }, { text: "Done." }], { plan: plan(first, second) });
    expect(result).toMatchObject({ verdict: "failed", delivery: "nothing" });
    expect(implied(t).sort()).toEqual(["check.py", "unittest.py"]);
  });

  const CHEATS: [what: string, files: Record<string, string>, path: string, content: string, cmd: string][] = [
    ["a test that Python finds by another name", { "tests.py": TEST }, "tests.py", "", "python3 -m unittest"],
    ["a test that Node finds by another name", { "test.js": "throw 1" }, "test.js", "", "node --test"],
    ["a module that is run by its name", { "judge/it.py": "1/0" }, "judge/it.py", "", "python3 -m judge.it"],
    ["a module that unittest is given", { "judge.py": TEST }, "judge.py", "", "python3 -m unittest judge.T.test"],
    [
      "what a script runs that a script runs",
      { "package.json": '{"scripts":{"test":"npm run -s unit","unit":"node run.js"}}', "run.js": "throw 1" },
      "run.js",
      "",
      "npm test",
    ],
    [
      "a file that comes before the directory which tests mean",
      { "test/a.js": "if (require('./with').two !== 2) throw 1", "test/with/index.js": "" },
      "test/with.js",
      "exports.two = 2;",
      "node test/a.js",
    ],
  ];

  it.each(CHEATS)("is not passed by changing %s", async (_what, files, path, content, cmd) => {
    const t = await openGoalDock({ "add.py": FILES["add.py"], ...files });
    const result = await t.run([{ writes: [{ path, content }] }], {
      plan: plan(task("a", { checks: [{ type: "command", cmd }] })),
    });
    expect(result.verdict).toBe("failed");
    expect(implied(t)).toEqual([path]);
  });

  it("is not reached through the directory that a link named tests leads to", async () => {
    const t = await openGoalDock({ "add.py": FILES["add.py"], "real/check.py": TEST });
    symlinkSync("real", join(t.workspace, "tests"));
    const result = await t.run([{ writes: [{ path: "real/check.py", content: "" }] }], {
      plan: plan(task("a", { checks: [HOLDS] })),
    });
    expect(result.verdict).toBe("failed");
    expect(implied(t)).toEqual(["real/check.py"]);
  });
});

describe("a workspace that its user goes on working in", () => {
  const edit = { toolCalls: [{ name: "edit", arguments: { path: "add.py", old: "a - b", new: "a + b" } }] };
  const look = {
    toolCalls: [
      { name: "read", arguments: { path: "notes.txt" } },
      { name: "run", arguments: { cmd: "python3 -m unittest" } },
    ],
  };

  it("does not end the run: it goes on over what is there now", async () => {
    const t = await openGoalDock({ ...FILES, "notes.txt": "old\n" });
    let answers = 0;
    const result = await t.run([edit, look, { text: "Done." }], {
      plan: plan(task("a")),
      onEvent: ({ type }) => {
        if (type !== "model.answered" || ++answers !== 2) return;
        for (const [path, text] of [
          ["notes.txt", "new\n"],
          ["test_more.py", "import nothing_of_that_name\n"],
        ] as const)
          writeFileSync(join(t.workspace, path), text);
      },
    });
    const [, seen] = t.data("tool.finished");
    expect(seen?.summary).toContain("new");
    // The user's test fails, and is not taken for one that the task added.
    expect(result.verdict).toBe("failed");
    expect(implied(t)).toEqual([]);
    expect(read(t, "notes.txt")).toBe("new\n");
  });

  it("that was changed in the same lines is a conflict, and no fault of ours", async () => {
    const t = await openGoalDock(FILES);
    const mine = "def add(a, b):\n    return b + a\n";
    const result = await t.run([{ writes: [FIX] }], {
      plan: plan(task("a")),
      onEvent: ({ type }) => {
        if (type === "attempt.finished") writeFileSync(join(t.workspace, "add.py"), mine);
      },
    });
    expect(result.error).toMatchObject({ code: "delivery.conflict", conflicts: ["add.py"] });
    expect(read(t, "add.py")).toBe(mine);
  });
});

describe("what a model asks for without end", () => {
  it("is given up on: a task that comes to a standstill each time", async () => {
    const t = await openGoalDock(FILES);
    const result = await t.run([{ ...runTool("import time; time.sleep(60)"), repeat: "always" }], {
      plan: plan(task("a")),
      staleSeconds: 1,
      staleAutoReset: true,
    });
    expect(result).toMatchObject({ verdict: "failed", tasks: { a: "failed" } });
    expect(t.data("task.failed")).toMatchObject([{ code: "stale" }]);
    expect(t.data("tool.finished")).toEqual([]);
  });

  it("is bounded: calls of one answer, and what an edit makes of a file", async () => {
    const t = await openGoalDock({ "add.py": "", big: "a".repeat(200_000) });
    const bomb = { name: "edit", arguments: { path: "big", old: "a", new: "b".repeat(1000), all: true } };
    const calls = Array.from({ length: 150 }, () => ({ name: "list" }));
    const result = await t.run(
      [{ toolCalls: [bomb, ...calls] }, { when: { contains: "Not executed" }, text: "Done." }],
      {
        plan: plan(task("a", { checks: [HOLDS] })),
      },
    );
    expect(result).toMatchObject({ verdict: "unproven" });
    expect(t.data("tool.finished")).toHaveLength(100);
    expect(t.data("tool.finished")[0]).toMatchObject({ failed: true });
  });

  it("is refused: more checks or words than a plan may hold", async () => {
    const t = await openGoalDock(FILES);
    const run = (extra: object) => t.run([{ text: "x" }], { plan: plan(task("a", extra)) });
    await expect(run({ checks: Array.from({ length: 5000 }, () => HOLDS) })).rejects.toMatchObject({
      code: "input.invalid",
    });
    await expect(t.run([{ text: "x" }], { goal: "x", staleSeconds: Number.NaN })).rejects.toMatchObject({
      code: "input.invalid",
    });
    await expect(run({ instructions: "word ".repeat(100_000) })).rejects.toMatchObject({ code: "input.invalid" });
  });

  it("does not hold the judge up: a test rewritten in a hundred thousand lines", async () => {
    const lines = (first: number) =>
      Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(first + ((i * 7) % 11))).join("\n");
    const t = await openGoalDock({ "add.py": "", "tests/data.txt": lines(97) });
    const result = await t.run([{ writes: [{ path: "tests/data.txt", content: lines(110) }] }], {
      plan: plan(task("a", { checks: [HOLDS] })),
    });
    expect(result.verdict).toBe("failed");
  });
});

it("a tool that has the name of something else is none, and ends nothing", async () => {
  const t = await openGoalDock(FILES);
  const calls = ["constructor", "toString", "__proto__"].map((name) => ({ name, arguments: {} }));
  const result = await t.run([{ toolCalls: calls }, { writes: [FIX] }], { plan: plan(task("a")) });
  expect(result.verdict).toBe("passed");
  expect(t.data("tool.finished").map(({ failed }) => failed)).toEqual([true, true, true]);
});

describe("what a command leaves", () => {
  it("is kept where it is plain and in scope, whatever took whose place", async () => {
    const t = await openGoalDock({ "add.py": "", file: "1", "dir/x": "1", "closed/y": "1", "closed/.env": "SECRET" });
    symlinkSync("dir", join(t.workspace, "link"));
    mkdirSync(join(t.workspace, "sub"));
    const result = await t.run(
      [
        runTool('import os; os.remove("file"); os.mkdir("file"); open("file/new","w").write("2")'),
        runTool('import shutil; shutil.rmtree("dir"); open("dir","w").write("2")'),
        runTool(
          'import os; os.remove("closed/y"); os.symlink("/etc/passwd","p"); os.remove("link"); os.symlink("/etc","link")',
        ),
        runTool(
          'import os; os.makedirs("sub/.git"); open("sub/.git/config","w").write("2"); open("ok","w").write("2")',
        ),
        { toolCalls: [{ name: "write", arguments: { path: "sub/.git/config", content: "" } }] },
        { text: "Done." },
      ],
      { plan: plan(task("a", { checks: [{ ...HOLDS, sufficient: true }] })) },
    );
    expect(result).toMatchObject({ verdict: "passed", delivery: "applied" });
    expect(read(t, "file/new")).toBe("2");
    expect(read(t, "dir")).toBe("2");
    expect(read(t, "closed/.env")).toBe("SECRET");
    expect(readdirSync(t.workspace).sort()).toEqual(["add.py", "closed", "dir", "file", "link", "ok", "sub"]);
    expect(existsSync(join(t.workspace, "sub/.git"))).toBe(false);
  });
});

describe("several at once", () => {
  it("do not take the same tasks", async () => {
    const t = await openGoalDock(FILES);
    await t.dock.tasks.add(t.workspace, task("mend"));
    const model = t.writeScript([{ writes: [FIX], repeat: "always" }]);
    const both = await Promise.allSettled([1, 2].map(() => t.dock.tasks.run({ workspace: t.workspace, model })));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = both.find((one) => one.status === "rejected");
    expect(lost?.reason).toMatchObject({ code: "input.invalid", message: expect.stringMatching(/mend/) });
    expect(await t.dock.tasks.list({ workspace: t.workspace })).toMatchObject([{ id: "mend", status: "done" }]);
  });

  it("a policy that was narrowed meanwhile holds for a run that is taken up again", async () => {
    const t = await openGoalDock(FILES);
    let runId = "";
    const slow = runTool("import time; time.sleep(1)");
    const paused = await t.run([slow, slow, { writes: [FIX] }], {
      plan: plan(task("a")),
      onEvent: (event) => {
        runId = event.runId;
        if (event.type === "task.started") void t.dock.goals.pause(runId);
      },
    });
    expect(paused.status).toBe("paused");
    writeFileSync(join(t.home, "policy.yaml"), "version: 1\ncommands:\n  allow: [ls]\n");
    await expect(t.dock.goals.resume(runId)).rejects.toMatchObject({ code: expect.stringMatching(/^policy\./) });
    expect(await t.dock.runs.get(runId)).toMatchObject({ status: "paused" });
  });
});

it("a run's readable directory holds no secret, though a model said it", async () => {
  const t = await openGoalDock(FILES);
  const secret = "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJ";
  const result = await t.run([{ writes: [FIX], text: `The key is ${secret}.` }], { plan: plan(task("a")) });
  const directory = join(t.home, "runs", result.runId);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(5);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), "utf8")).not.toContain(secret);
});
