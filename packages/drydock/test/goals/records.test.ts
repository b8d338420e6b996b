import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openGoalDock } from "../testing/goal-dock.ts";

const FILES = {
  "test_flag.py": "import os\n\n\ndef test_flag():\n    assert os.environ.get('TEST_FLAG') == '1'\n",
  "README.md": "one\n",
};

it("takes the record of an untouched tree again where a variable that tests see has changed since", async () => {
  const t = await openGoalDock(FILES);
  mkdirSync(t.home, { recursive: true });
  writeFileSync(join(t.home, "policy.yaml"), "environment: { allow: [TEST_FLAG] }\n");
  const tasks = [
    { id: "note", scope: ["README.md"], checks: [{ type: "command", cmd: "python3 -m pytest -q" }], attempts: 1 },
  ];
  const edit = { writes: [{ path: "README.md", content: "two\n" }] };
  const run = () => t.run([edit], { plan: { goal: "note", tasks } });
  expect(await run()).toMatchObject({ verdict: "failed" });
  vi.stubEnv("TEST_FLAG", "1");
  expect(await run()).toMatchObject({ verdict: "unproven" });
});

it("keeps nothing of what a control or a mutant wrote", async () => {
  const t = await openGoalDock({
    "calc.py": "def add(a, b):\n    return a - b\n",
    "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
  });
  const tasks = [{ id: "fix", scope: ["calc.py"], checks: [{ type: "command", cmd: "python3 -m pytest -q" }] }];
  const mend = { writes: [{ path: "calc.py", content: "def add(a, b):\n    return a + b\n" }] };
  const { runId, verdict } = await t.run([mend], { plan: { goal: "mend", tasks }, minStrength: 0.5 });
  expect(verdict).toBe("passed");
  expect(t.data("check.finished")).toMatchObject([{ control: { failed: true } }, { type: "strength" }]);
  const { text } = await t.dock.runs.receipt(runId, { withRecord: true });
  const [record] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(Buffer.from(JSON.parse(line).payload, "base64").toString()))
    .filter(({ contents }) => contents);
  const kept = Object.values<string>(record.contents).map((each) => Buffer.from(each, "base64").toString());
  expect(kept.filter((content) => /^from calc import add/.test(content))).toHaveLength(1);
  expect(kept.filter((content) => /^def add/.test(content))).toHaveLength(2);
});

const SOURCE = "def add(a, b):\n    return a + b\n";

/** A workspace without a fault, and a record of it that says that its only test failed. */
async function openWithChance() {
  const t = await openGoalDock({
    "calc.py": SOURCE,
    "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
  });
  const checks = [{ type: "command", cmd: "python3 -m pytest -q" }];
  const tasks = [{ id: "fix", scope: ["**"], checks, attempts: 1 }];
  const run = (files: Record<string, string>) => {
    const writes = Object.entries(files).map(([path, content]) => ({ path, content }));
    return t.run([{ writes }], { plan: { goal: "mend", tasks } });
  };
  expect(await run({ "calc.py": "def add(a, b):\n    return a - b\n" })).toMatchObject({ verdict: "failed" });
  const directory = join(t.home, "cache", "records");
  const [path = ""] = readdirSync(directory).map((name) => join(directory, name));
  const readRecord = () => JSON.parse(readFileSync(path, "utf8"));
  const { report, ...record } = readRecord();
  expect({ report, ...record }).toMatchObject({ passed: true, report: { tests: [{ outcome: "passed" }] } });
  const failed = { ...report, exitCode: 1, tests: [{ ...report.tests[0], outcome: "failed" }] };
  writeFileSync(path, JSON.stringify({ ...record, passed: false, report: failed }));
  return { run, readRecord };
}

it("a test that failed once by chance on the untouched tree proves nothing of a later change", async () => {
  const t = await openWithChance();
  const { verdict, reason, delivery } = await t.run({ "calc.py": `# A comment.\n${SOURCE}` });
  expect(verdict).toBe("unproven");
  expect(reason).toContain("test_calc.py::test_add failed only sometimes on the untouched tree");
  expect(delivery).not.toBe("applied");
  expect(t.readRecord()).toMatchObject({ passed: true, report: { exitCode: 0, tests: [{ outcome: "passed" }] } });
});

it("a change that brings its own proof passes beside a test that failed once by chance", async () => {
  const t = await openWithChance();
  const { verdict, reason } = await t.run({
    "calc.py": `${SOURCE}\n\ndef double(a):\n    return a * 2\n`,
    "test_double.py": "from calc import double\n\n\ndef test_double():\n    assert double(4) == 8\n",
  });
  expect({ verdict, reason }).toMatchObject({ verdict: "passed" });
});
