import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { chai, describe, expect, it, vi } from "vitest";
import { applySplices } from "../../source/splice.ts";
import { runPython } from "../../source/testing/run-python.ts";
import { findExpectations } from "./spoil-expectations.ts";
import { listPytestCases, PYTHON_CASES, SUBJECT } from "./testing/python-cases.ts";
import { SCRIPT_CASES } from "./testing/script-cases.ts";

chai.should();
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

async function writeOtherwise(text: string, path: string): Promise<string> {
  const [file] = await findExpectations([{ path, text }], { runPython, salt: "any" });
  return applySplices(text, file?.same ?? []);
}

/** Runs each case by itself; prints which of them passed. */
const RUN_CASES = `
import json, sys, unittest
passed = []
for text in json.load(sys.stdin):
    names = {}
    exec(text, names)
    try:
        names["test"](unittest.TestCase())
        passed.append(True)
    except BaseException:
        passed.append(False)
print(json.dumps(passed))
`;

describe("values that are written in another way", () => {
  it("are the same for all tests of Python", async () => {
    const cases = [...PYTHON_CASES, ...listPytestCases()];
    const texts = cases.map((body) => {
      const indented = body.includes('"""') ? `    ${body}` : body.replace(/^/gm, "    ");
      return `import pytest\n${SUBJECT}\ndef test(self):\n${indented}\n`;
    });
    const files = texts.map((text, index) => ({ path: `test_${index}.py`, text }));
    const found = await findExpectations(files, { runPython, salt: "any" });
    const written = files.map(({ path, text }) =>
      applySplices(text, found.find((file) => file.path === path)?.tests[0]?.same ?? []),
    );
    expect(written.filter((text, index) => text !== texts[index]).length).toBeGreaterThan(40);
    const passed = JSON.parse(
      execFileSync("python3", ["-c", RUN_CASES], { input: JSON.stringify(written), encoding: "utf8" }),
    ) as boolean[];
    expect(written.filter((_text, index) => !passed[index])).toEqual([]);
  });

  it.each(SCRIPT_CASES)("are the same for a test of JavaScript: %s", async (body) => {
    const subject = {
      ...{ assert, chai, vi, expect, want: 3, t: { assert } },
      same: (value: unknown) => value,
      should: (value: unknown) => value,
      refuse(message: string) {
        throw new Error(message);
      },
      later: async (value: unknown) => {
        if (value instanceof Error) throw value;
        return value;
      },
      spy(...values: unknown[]) {
        const called = vi.fn();
        called(...values);
        return called;
      },
    };
    const written = await writeOtherwise(body, "a.test.mjs");
    await new AsyncFunction(...Object.keys(subject), written)(...Object.values(subject));
  });

  it.each([
    ["a.py", "def test_a():\n    assert f(49) == 7\n", /== 7|\b7\b/],
    ["a.py", "def test_a():\n    want = 'seven'\n    assert f() == want\n", /seven/],
    ["a.py", "assert [f()] == [{'a': 'seven'}]\n", /seven/],
    ["a.test.js", "test('a', () => assert.equal(f(49), 7));", /\b7\b/],
    ["a.test.ts", "test('a', () => { const want = 'seven'; expect(f()).toBe(want); });", /seven/],
    ["a.test.ts", "expect(f()).toEqual([{ a: 'seven' }]);", /seven/],
  ])("are not in the text of %s any more: %s", async (path, text, value) => {
    expect(text).toMatch(value);
    expect(await writeOtherwise(text, path)).not.toMatch(value);
  });

  it.each([
    ["a.py", "assert not f() > g()\n", "assert not (lambda a, b: a > b or a != a or b != b)(f(), g())\n"],
    ["a.test.js", "assert.ok(!(f() > g()));", "assert.ok(!(((a, b) => a > b || !(a <= b))(f(), g())));"],
    ["a.test.js", "assert.equal(f() >= g(), false);", "assert.equal(((a, b) => a >= b || !(a < b))(f(), g()), false);"],
    ["a.test.js", "expect(f()).not.toBeGreaterThan(g());", "expect(f()).toBeLessThanOrEqual(g());"],
  ])("do not leave room for what has no order, in %s: %s", async (path, text, after) => {
    expect(await writeOtherwise(text, path)).toBe(after);
  });

  it.each([
    ["expect(f()).toEqual(g(), 1);", "expect(f()).toEqual(g(), (Number"],
    ["expect(f()).toEqual('a');", "expect(f()).toBe("],
    ["assert.ok(f().includes(g()));", "Object.getPrototypeOf(a).includes.call(a, b) : a.includes(b))(f(), g()));"],
  ])("do not let an answer say itself that it is one: %s", async (text, part) => {
    expect(await writeOtherwise(text, "a.test.js")).toContain(part);
  });

  it.each([
    ["a.py", "assert f() is True\nassert f'{g() == 5}'\n"],
    ["a.py", "want = 'abc'\nassert f() is want\nassert g()\n"],
    ["a.test.js", "expect(f()).toMatchInlineSnapshot('5');"],
  ])("stay as they are where the text itself counts, in %s: %s", async (path, text) => {
    expect(await writeOtherwise(text, path)).toBe(text);
  });

  it.each([
    [
      "a.py",
      '# of 49: 7\ndef test_a():\n    """49 is 7"""\n    assert f(49) == x  # 7\n    assert x == 7\n',
      /49 is 7|# 7|: 7/,
    ],
    ["a.test.js", "// 49: 7\ntest('a', () => { /* 7 */ assert.equal(f(49), 7); });", /\/\/ 49|\* 7/],
  ])("do not stand in comments either, in %s", async (path, text, value) => {
    const [file] = await findExpectations([{ path, text }], { runPython, salt: "any" });
    expect(text).toMatch(value);
    expect(applySplices(text, file?.aside ?? [])).not.toMatch(value);
  });

  it("leave comments that tools read as they are", async () => {
    const text = "def test_a():\n    assert f() == 7  # type: ignore\n";
    const [file] = await findExpectations([{ path: "a.py", text }], { runPython, salt: "any" });
    expect(file?.aside).toEqual([]);
  });

  it.each([
    [
      "a.py",
      "def test_root_of_49_is_7():\n    assert root(49) == 7\n",
      "test_root_of_49_is_7",
      /^test_root_of_\d\d_is_\d$/,
    ],
    [
      "a.py",
      "class T:\n    def test_up_abc(self):\n        self.assertEqual(up(x), 'ABC')\n",
      "test_up_abc",
      /^test_up_\w{3}$/,
    ],
    ["a.test.js", "test('of 49 is 7', () => assert.equal(root(49), 7));", "of 49 is 7", /^of \d\d is \d$/],
    ["a.test.js", "test('up abc', () => expect(up(x)).toBe('ABC'));", "up abc", /^up \w{3}$/],
  ])("are not in the name of a test, in %s: %s", async (path, text, name, form) => {
    const [file] = await findExpectations([{ path, text }], { runPython, salt: "any" });
    const renamed = file?.tests[0]?.renamed;
    expect(renamed?.name).toMatch(form);
    expect(renamed?.name).not.toBe(name);
    expect(applySplices(text, renamed?.splices ?? [])).toBe(
      text.replace(
        path.endsWith(".py") ? name : `'${name}'`,
        path.endsWith(".py") ? (renamed?.name ?? "") : JSON.stringify(renamed?.name),
      ),
    );
  });

  it.each([
    ["a.py", "def test_7(self):\n    assert f(self._testMethodName) == 7\n"],
    ["a.py", "def test_7():\n    assert f() == 7\n\ntest_7()\n"],
    ["a.py", "def test_plain():\n    assert f() == 7\n"],
    ["a.test.js", "test('of 7', () => { expect(f()).toBe(7); expect(g()).toMatchSnapshot(); });"],
    ["a.test.js", "test('%i of 7', () => expect(f()).toBe(7));"],
  ])("stay in names that are asked for, or that say nothing, in %s: %s", async (path, text) => {
    const [file] = await findExpectations([{ path, text }], { runPython, salt: "any" });
    expect(file?.tests.map(({ renamed }) => renamed)).toEqual([undefined]);
  });

  it("are made by the shell while a script runs", async () => {
    const text = `set -e
x=7
[ "$x" = 7 ]
[[ "$x" == 7 ]]
(( x == 7 ))
echo "abc def" | grep -q "abc def"
bash -c '[ "$(echo 7)" = 7 ]'
check() { [ "$1" = "$2" ]; }
check "$(echo ab)" 'ab'
`;
    const written = await writeOtherwise(text, "a.sh");
    expect(written.match(/printf/g)).toHaveLength(5);
    execFileSync("bash", ["-c", written]);
  });
});
