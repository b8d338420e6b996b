import type { Check } from "@drydock/protocol";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { type Files, judge } from "./judge.ts";

const test = openTestDock();
const PYTEST: Check = { type: "command", cmd: "python3 -m pytest -q -p no:cacheprovider tests/test_add.py" };
const SUITE = "from main import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";
const before: Files = {
  "main.py": "def add(a, b):\n    return a - b\n",
  "tests/test_add.py": SUITE,
  "tests/data/numbers.csv": "1,2\n",
  "tool/run.py": "assert 1 == 1\nprint(1)\n",
  "tool/work.py": "print(1)\n",
  "pyproject.toml": "[project]\nname = 'x'\n",
  "package.json": '{ "scripts": { "test": "node check.js", "start": "node app.js" } }',
  "check.js": "process.exit(1)\n",
  "app.js": "1\n",
};
const fix: Files = { "main.py": "def add(a, b):\n    return a + b\n" };

interface Case {
  change: Files;
  remove?: string;
  scope?: string[];
  checks?: Check[];
}

async function findImplied({
  change,
  remove,
  scope = ["**"],
  checks = [{ type: "file_exists", path: "main.py" }],
}: Case) {
  const tree: Files = { ...before, ...change };
  if (remove) delete tree[remove];
  const { checks: results, verdict } = await judge(test.dock, tree, checks, { before, scope, planIsUsers: true });
  const implied = results.filter((result) => result.implied);
  return { verdict, codes: implied.map(({ code, evidence }) => `${code} ${evidence.path}`), implied };
}

const PYTHON: Check[] = [{ type: "command_contains", cmd: "python3 -m unittest -h", needle: "usage" }];

describe("whoever is judged may not touch the judge", () => {
  const caught: [name: string, attack: Case, codes: string[]][] = [
    [
      "a test that was edited",
      { change: { "tests/test_add.py": "def test_add(): pass\n" } },
      ["changed tests/test_add.py"],
    ],
    ["a test that was deleted", { change: {}, remove: "tests/test_add.py" }, ["changed tests/test_add.py"]],
    ["a fixture", { change: { "tests/data/numbers.csv": "3\n" } }, ["changed tests/data/numbers.csv"]],
    [
      "the configuration",
      { change: { "pyproject.toml": "[tool.pytest.ini_options]\naddopts='-k nothing'\n" } },
      ["changed pyproject.toml"],
    ],
    ["package.json", { change: { "package.json": '{ "scripts": { "test": "true" } }' } }, ["changed package.json"]],
    ["a new conftest.py", { change: { "tests/conftest.py": "" } }, ["takes_over tests/conftest.py"]],
    ["a new pytest.ini", { change: { "pytest.ini": "" } }, ["takes_over pytest.ini"]],
    ["a new vitest.config.ts", { change: { "vitest.config.ts": "" } }, ["takes_over vitest.config.ts"]],
    ["sitecustomize.py", { change: { "lib/sitecustomize.py": "" } }, ["takes_over lib/sitecustomize.py"]],
    ["a .pth file", { change: { "x.pth": "import os" } }, ["takes_over x.pth"]],
    ["a package beside old tests", { change: { "tests/__init__.py": "" } }, ["takes_over tests/__init__.py"]],
    ["an installed tool", { change: { "node_modules/.bin/jest": "" } }, ["takes_over node_modules/.bin/jest"]],
    [
      "a plugin by its metadata",
      { change: { "x.dist-info/entry_points.txt": "" } },
      ["takes_over x.dist-info/entry_points.txt"],
    ],
    ["a mock", { change: { "__mocks__/fs.js": "" } }, ["takes_over __mocks__/fs.js"]],
    [
      "a package in a test's place",
      { change: { "tests/test_add/__init__.py": "" } },
      ["takes_over tests/test_add/__init__.py"],
    ],
    [
      "a compiled module in a test's place",
      { change: { "tests/test_add.cpython-311-x86_64-linux-gnu.so": "" } },
      ["takes_over tests/test_add.cpython-311-x86_64-linux-gnu.so"],
    ],
    [
      "a plugin that a check loads",
      {
        change: { "tool/run.py": "" },
        checks: [{ type: "command_contains", cmd: "python3 -m pytest -p tool.run", needle: "1" }],
      },
      ["input_changed tool/run.py"],
    ],
    ["pytest.py", { change: { "pytest.py": "" }, checks: PYTHON }, ["takes_over pytest.py"]],
    ["pytest/", { change: { "pytest/__main__.py": "" }, checks: PYTHON }, ["takes_over pytest/__main__.py"]],
    ["_pytest", { change: { "_pytest/config.py": "" }, checks: PYTHON }, ["takes_over _pytest/config.py"]],
    ["unittest.py", { change: { "unittest.py": "" }, checks: PYTHON }, ["takes_over unittest.py"]],
    ["a module of the standard library", { change: { "json.py": "" }, checks: PYTHON }, ["takes_over json.py"]],
    [
      "one beside the tests",
      { change: { "tests/statistics.py": "" }, checks: PYTHON },
      ["takes_over tests/statistics.py"],
    ],
    [
      "a program that a check runs",
      { change: { "tool/run.py": "" }, checks: [{ type: "command", cmd: "python3 tool/run.py" }] },
      ["input_changed tool/run.py"],
    ],
    [
      "one that it runs from its directory",
      { change: { "tool/run.py": "" }, checks: [{ type: "command", cmd: "cd tool && python3 ./run.py" }] },
      ["input_changed tool/run.py"],
    ],
    [
      "one that npm test runs",
      { change: { "check.js": "" }, checks: [{ type: "command", cmd: "npm test" }] },
      ["input_changed check.js"],
    ],
    [
      "a test named by a catch-all",
      { change: { "tests/test_add.py": "" }, scope: ["**/*.py", "*", "*.{py,js}"] },
      ["changed tests/test_add.py"],
    ],
  ];

  it.each(caught)("%s", async (_name, attack, codes) => {
    const found = await findImplied(attack);
    expect(found.codes).toEqual(codes);
    expect(found.verdict).toBe("failed");
    expect(found.implied[0]).toMatchObject({ type: "unchanged", verdict: "failed" });
    expect(found.implied[0]?.reason).toMatch(/--may-change/);
  });

  const free: [name: string, work: Case][] = [
    [
      "a file that a check only shows",
      { change: { "app.js": "2" }, checks: [{ type: "command", cmd: "cat app.js | grep 2" }] },
    ],
    [
      "a file that a check's own code reads",
      { change: { "app.js": "2" }, checks: [{ type: "command", cmd: "python3 -c 'open(\"app.js\").read()'" }] },
    ],
    ["a fix", { change: fix }],
    [
      "a program without expectations that a check runs, or gives to another",
      {
        change: { "tool/work.py": "print(2)", "app.js": "2" },
        checks: [{ type: "command", cmd: "python3 tool/work.py app.js" }],
      },
    ],
    ["a new test", { change: { "tests/test_more.py": "", "src/a.test.ts": "" } }],
    ["a new package of tests", { change: { "spec2/x.py": "", "pkg/tests/__init__.py": "" } }],
    ["a test that the scope names by directory", { change: { "tests/test_add.py": "" }, scope: ["tests/**"] }],
    ["a test that the scope names by name", { change: { "tests/test_add.py": "" }, scope: ["**/test_*.py"] }],
    [
      "a configuration that the scope names",
      { change: { "pyproject.toml": "", "conftest.py": "" }, scope: ["pyproject.toml", "conftest.py"] },
    ],
    ["a new module with a name of its own", { change: { "calc.py": "", "pkg/__init__.py": "" }, checks: PYTHON }],
    ["the standard library's names where no check runs Python", { change: { "json.py": "" } }],
    [
      "a file that only another script runs",
      { change: { "app.js": "2" }, checks: [{ type: "command", cmd: "npm test" }] },
    ],
    [
      "a program that a check runs, where the scope names it",
      { change: { "tool/run.py": "" }, scope: ["tool/**"], checks: [{ type: "command", cmd: "python3 tool/run.py" }] },
    ],
  ];

  it.each(free)("%s is allowed", async (_name, work) => {
    expect((await findImplied(work)).codes).toEqual([]);
  });

  it("passes what was really repaired, and shows the diff of what was not", async () => {
    const repaired = await judge(test.dock, { ...before, ...fix }, [PYTEST], { before });
    expect(repaired).toMatchObject({ verdict: "passed", checks: [{ alsoPassesBefore: false }] });
    const edited = { "tests/test_add.py": SUITE.replace("== 3", "== -1") };
    const cheated = await judge(test.dock, { ...before, ...edited }, [PYTEST], { before });
    expect(cheated.checks.map(({ verdict }) => verdict)).toEqual(["passed", "failed"]);
    expect(cheated.verdict).toBe("failed");
    expect(cheated.checks[1]?.evidence.diff).toContain("+    assert add(1, 2) == -1");
  });

  it("finds a gutted test behind any number of harmless changes", async () => {
    const packages = (version: number): Files =>
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`a${at}/package.json`, `{ "version": "${version}" }`]));
    const gutted = { ...packages(2), "tests/test_add.py": "def test_add(): pass\n" };
    const check: Check = { type: "file_exists", path: "main.py" };
    const from = { before: { ...before, ...packages(1) } };
    const { checks } = await judge(test.dock, { ...before, ...gutted }, [check], from);
    expect(checks.slice(1)).toMatchObject([{ code: "changed", evidence: { path: "tests/test_add.py" } }]);
  });

  it.each([
    ["js", ["changed package.json"]],
    ["mjs", []],
  ])("holds the type of a package where its tests end in .%s", async (ending, codes) => {
    const old: Files = { "package.json": "{}", [`test/a.test.${ending}`]: "" };
    const check: Check = { type: "file_exists", path: "package.json" };
    const { checks } = await judge(test.dock, { ...old, "package.json": '{ "type": "module" }' }, [check], {
      before: old,
    });
    expect(checks.slice(1).map(({ code, evidence }) => `${code} ${evidence.path}`)).toEqual(codes);
  });

  it("compares what an explicit check names", async () => {
    const look = (paths: string[], change: Files) =>
      judge(test.dock, { ...before, ...change }, [{ type: "unchanged", paths }], { before });
    expect((await look(["tests", "*.toml"], fix)).checks[0]).toMatchObject({ verdict: "passed" });
    const { checks } = await look(["main.py", "nothing"], fix);
    expect(checks[0]).toMatchObject({ code: "changed", evidence: { changed: [{ path: "main.py", kind: "changed" }] } });
    expect((await look(["new/**"], { "new/a.txt": "" })).verdict).toBe("failed");
  });
});
