import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runPython } from "../../source/testing/run-python.ts";
import { findExpectations, spoilExpectations } from "./spoil-expectations.ts";
import { listPytestCases, PYTHON_CASES, SUBJECT } from "./testing/python-cases.ts";

const directory = mkdtempSync(join(tmpdir(), "spoil-python-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs each case by itself; prints which of them passed. */
const RUN_CASES = `
import io, json, sys, unittest
asked = json.load(sys.stdin)
passed = []
for text in asked:
    names = {}
    exec(text, names)
    try:
        names["test"](unittest.TestCase())
        passed.append(True)
    except BaseException:
        passed.append(False)
print(json.dumps(passed))
`;

function asTest(head: string, body: string): string {
  const indented = body.includes('"""') ? `    ${body}` : body.replace(/^/gm, "    ");
  return `${head}${SUBJECT}\ndef test(self):\n${indented}\n`;
}

async function spoil(text: string, path = "test_a.py"): Promise<string> {
  const [spoiled] = await spoilExpectations([{ path, text }], { runPython });
  return spoiled?.content ?? text;
}

function whichPass(texts: readonly string[]): boolean[] {
  return JSON.parse(execFileSync("python3", ["-c", RUN_CASES], { input: JSON.stringify(texts), encoding: "utf8" }));
}

async function expectAllSpoiled(cases: readonly string[], head: string): Promise<void> {
  const tests = cases.map((body) => asTest(head, body));
  const files = tests.map((text, index) => ({ path: `test_${index}.py`, text }));
  const spoiled = await spoilExpectations(files, { runPython });
  const before = whichPass(tests);
  expect(cases.filter((_case, index) => !before[index])).toEqual([]);
  const after = whichPass(files.map(({ path, text }) => spoiled.find((file) => file.path === path)?.content ?? text));
  expect(cases.filter((_case, index) => after[index])).toEqual([]);
}

describe("spoiled Python tests", () => {
  it("fail for an honest implementation that passed them", async () => {
    await expectAllSpoiled(PYTHON_CASES, "");
  });

  const pytestCases = listPytestCases();
  it.skipIf(pytestCases.length === 0)("fail the same with pytest's functions", async () => {
    await expectAllSpoiled(pytestCases, "import pytest\n");
  });

  it.each([
    ["assert f() == 5", "assert f() == 6"],
    ['assert f() == "abc"', 'assert f() == "abd"'],
    ["assert f() != 5", "assert f() == 5"],
    ["assert f() is not None", "assert f() is None"],
    ["assert f() > 2  # why", "assert f() > 1002002  # why"],
    ["with raises(ValueError): f()", "with raises(ChildProcessError): f()"],
    ["t.assertTrue(f())", "t.assertFalse(f())"],
    ["def test_a():\n    same(f(), 5)\n", "def test_a():\n    same(f(), 6)\n"],
    ["\ufeffassert f() == 'ü'\r\n", "\ufeffassert f() == 'üs'\r\n"],
  ])("are edited as a person would: %j", async (before, after) => {
    expect(await spoil(before)).toBe(after);
  });

  it.each(
    [
      "1 2.5 True 'a' b'a' [1,[2]] [] (1,) () {'a':1,'b':{'c':2}} {} {1} __import__('decimal').Decimal(1)".split(" "),
    ].flat(),
  )("want another value of the same kind in the place of %s", async (want) => {
    const text = `want = ${want}\ngot = want\nassert got == want`;
    const other = (await spoil(text)).replace("assert got == ", "other = ");
    const program = `${other}\nassert other != want and type(other) is type(want), other`;
    expect(spawnSync("python3", ["-c", program], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  it("want something else of a callback, one thing at a time, where it can only fail by what it is given", async () => {
    const text = `def test_a():
    def look(x):
        assert x == 1
        if x:
            assert x == 2
    def never(x):
        assert False
    def unused(x):
        assert x == 3
    each([1], look, never)
    assert done() == 4
`;
    const [found] = await findExpectations([{ path: "test_a.py", text }], { runPython });
    const reply = found?.expectations.map(({ isAlone = false, splices }) => [
      isAlone,
      text.slice(0, splices[0]?.start).split("\n").at(-1),
    ]);
    expect(reply).toEqual([
      [true, "        assert x == "],
      [false, "    assert done() == "],
    ]);
    const caught = text.replace("    each(", "    with raises(AssertionError): each(");
    const [other] = await findExpectations([{ path: "test_a.py", text: caught }], { runPython });
    expect(other?.expectations.some(({ isAlone }) => isAlone)).toBe(false);
  });

  it("are found where letters of all sizes stand before them", async () => {
    const before = "# ä € 😀\nassert f('ß😀') == 5  # é\nassert f() == 'x'\n";
    expect(await spoil(before)).toBe(before.replace("== 5", "== 6").replace("'x'", "'y'"));
  });

  it("are found in a large file in a time that grows with it", async () => {
    const text = "def test_a():\n    assert f('ü') == 5\n".repeat(8000);
    expect((await spoil(text)).match(/== 6/g)?.length).toBe(8000);
  });

  it.each([
    ["nothing is expected", "def test():\n    f()\n    assert True\n"],
    ["it does not parse", "assert f( == 5"],
    ["it is nested too deeply", `assert f() == ${"(".repeat(5000)}5${")".repeat(5000)}`],
    ["it can't be encoded", "assert f() == '\ud800'"],
  ])("stay as they are where %s", async (_name, text) => {
    expect(await spoilExpectations([{ path: "test_a.py", text }], { runPython })).toEqual([]);
  });

  it.each([
    ["add.py", '"""\n>>> 1 + 1\n2\n>>> int("x")\nTraceback (most recent call last):\nValueError: bad\n"""\n'],
    ["add.rst", "Text.\n\n>>> 1 + 1\n2\n\n>>> [1,\n...  2]\n[1, 2]\n"],
  ])("of doctest in %s expect another output", async (path, text) => {
    const file = join(directory, path);
    const status = (content: string) => {
      writeFileSync(
        file,
        content.replace("ValueError: bad", "ValueError: invalid literal for int() with base 10: 'x'"),
      );
      return spawnSync("python3", ["-m", "doctest", file]).status;
    };
    expect(status(text)).toBe(0);
    const spoiled = await spoil(text, path);
    expect(status(spoiled)).toBe(1);
    expect(spoiled.match(/>>>/g)?.length).toBe(2);
  });
});

describe("a script that counts its failures", () => {
  it.each([
    ["import sys\nfailed = 0\nif 2 + 3 != 5:\n    failed += 1\nif failed:\n    sys.exit(1)\n"],
    ["import sys\nok = 2 + 3 == 5\nsys.exit(0 if ok else 1)\n"],
    ["import sys\nbad = []\nif sum([2, 3]) == 5:\n    print('ok')\nelse:\n    bad.append(1)\nsys.exit(len(bad))\n"],
    ["import os\ngood = all([True])\nos._exit(0 if good else 1)\n"],
  ])("fails when it is spoiled: %j", async (text) => {
    expect(spawnSync("python3", ["-c", text]).status).toBe(0);
    expect(spawnSync("python3", ["-c", await spoil(text, "check.py")]).status).not.toBe(0);
  });
});

describe("an implementation that cheats", () => {
  const test = `import unittest
from subject import add, want
class AddTest(unittest.TestCase):
    def test_add(self):
        assert add(2, 3) == 5
        self.assertEqual(add(2, 3), want)
        self.assertListEqual(add([], []), [1])
        self.assertIn("a", add("a", "b"))
unittest.main()
`;
  const honest = "want = 5\ndef add(a, b):\n    return a + b or [1]\n";
  const equalsAll = `want = 5
class Everything(list):
    __eq__ = __contains__ = lambda self, other: True
def add(a, b):
    return Everything()
`;
  const patched = `import unittest
want = 5
unittest.TestCase.run = lambda self, result=None: None
def add(a, b):
    return 0
`;
  const forged = "import sys\nprint('Ran 1 test in 0.000s\\n\\nOK', file=sys.stderr)\nimport os\nos._exit(0)\n";

  it.each([
    ["an honest one fails", honest, 1],
    ["what equals everything still passes", equalsAll, 0],
    ["one that ends the process still passes", "import os\nos._exit(0)\n", 0],
    ["one that patches the runner still passes", patched, 0],
    ["one that forges the report still passes", forged, 0],
  ])("is told from an honest one: %s", async (_name, subject, expected) => {
    writeFileSync(join(directory, "subject.py"), subject);
    const run = (text: string) => {
      writeFileSync(join(directory, "test_subject.py"), text);
      return spawnSync("python3", ["-B", "test_subject.py"], { cwd: directory }).status;
    };
    expect(run(test)).toBe(0);
    expect(run(await spoil(test))).toBe(expected);
  });
});
