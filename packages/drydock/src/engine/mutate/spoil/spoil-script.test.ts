import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { chai, describe, expect, it, vi } from "vitest";
import { runPython } from "../../source/testing/run-python.ts";
import { spoilExpectations } from "./spoil-expectations.ts";
import { SCRIPT_CASES } from "./testing/script-cases.ts";

chai.should();
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
const subject = {
  assert,
  chai,
  vi,
  expect,
  want: 3,
  t: { assert },
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

async function passes(body: string): Promise<boolean> {
  try {
    await new AsyncFunction(...Object.keys(subject), body)(...Object.values(subject));
    return true;
  } catch {
    return false;
  }
}

async function spoil(text: string, path = "a.test.mjs"): Promise<string> {
  const [spoiled] = await spoilExpectations([{ path, text }], { runPython });
  return spoiled?.content ?? text;
}

describe("spoiled JavaScript tests", () => {
  it.each(SCRIPT_CASES)("fail for an honest implementation that passed them: %s", async (body) => {
    expect(await passes(body)).toBe(true);
    expect(await passes(await spoil(body))).toBe(false);
  });

  it.each([
    ["expect(f()).toBe(5);", "expect(f()).toBe(6);"],
    ["assert(f() > 2);", "assert(f() > 1002002);"],
    ["expect(f()).not.toBe(5);", "expect(f()).toBe(5);"],
    ["test('a', () => same(f(), 5));", "test('a', () => same(f(), 6));"],
    ["test('a', () => { same(f(), 5); });", "test('a', () => { same(f(), 6); });"],
    ["expect(f()).toBeNull();", "expect(f()).not.toBeNull();"],
    ["assert.equal(f(), 'ü');", "assert.equal(f(), 'üs');"],
    ["assert.throws(f);", "assert.doesNotThrow(f);"],
    ["expect(f()).toMatchSnapshot();", "expect(f()).toMatchSnapshot();"],
    ["expect(f()).toMatchInlineSnapshot(`5`);", "expect(f()).toMatchInlineSnapshot(`6`);"],
    ["expect(f()).valueOf(5);", "expect(f()).not.valueOf(5);"],
    ["request(app).get('/').expect(200);", "request(app).get('/').expect(201);"],
    [
      "import test from 'tape'; test('a', (t) => { t.equal(f(), 5) })",
      "import test from 'tape'; test('a', (t) => { t.equal(f(), 6) })",
    ],
    [
      "import { strictEqual as same } from 'node:assert'; same(f(), 5)",
      "import { strictEqual as same } from 'node:assert'; same(f(), 6)",
    ],
  ])("are edited as a person would: %s", async (before, after) => {
    expect(await spoil(before)).toBe(after);
  });

  it.each([1, "a", true, 5n, [1, [2]], [], { a: 1, b: { c: 2 } }, {}, Number.NaN, null])(
    "want another value of the same kind in the place of %o",
    async (want) => {
      const spoiled = await spoil("expect(f()).toBe(want)");
      const other = new Function("f", "want", "expect", spoiled.replace("expect(f()).toBe", "return "));
      const value = other(() => want, want);
      expect(value).not.toEqual(want);
      if (want !== null) expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(want));
    },
  );

  it("carry types where they are TypeScript", async () => {
    expect(await spoil("assert.equal(f() as string, 'ü');", "a.test.ts")).toBe("assert.equal(f() as string, 'üs');");
    expect(await spoil("expect(f()).toBe(want);", "a.test.ts")).toContain("(function f(v: any): any {");
  });

  it.each([
    ["nothing is expected", "test('a', () => { f(); })"],
    ["a call only looks like an assertion", "map.equal(f(), 5); console.assert(5); expect.assertions(2);"],
    ["it does not parse", "expect(f().toBe(5)"],
    ["it is nested too deeply", `expect(f()).toBe(${"[".repeat(20_000)}${"]".repeat(20_000)})`],
  ])("stay as they are where %s", async (_name, text) => {
    expect(await spoil(text)).toBe(text);
  });

  it("leave snapshots to their file where it is spoiled as well", async () => {
    const files = [
      { path: "src/a.test.ts", text: "expect(f()).toMatchSnapshot();" },
      { path: "src/__snapshots__/a.test.ts.snap", text: 'exports[`a 1`] = `5`;\n\nexports[`b 1`] = `\n"x"\n`;\n' },
    ];
    expect(await spoilExpectations(files, { runPython })).toEqual([
      { path: files[1]?.path, content: 'exports[`a 1`] = `6`;\n\nexports[`b 1`] = `\n"x"\ns`;\n', edits: 2 },
    ]);
  });

  it.each([
    ["if (2 + 3 !== 5) process.exit(1);"],
    ["let failed = 0; if (2 + 3 !== 5) { failed++; } if (failed) process.exit(1);"],
    ["const ok = 2 + 3 === 5; process.exit(ok ? 0 : 1);"],
    ["const ok = [true].every(Boolean); process.exitCode = ok ? 0 : 1;"],
  ])("of a plain script end with a failure: %s", async (text) => {
    expect(spawnSync(process.execPath, ["-e", text]).status).toBe(0);
    expect(spawnSync(process.execPath, ["-e", await spoil(text, "check.cjs")]).status).not.toBe(0);
  });
});

describe("an implementation that cheats", () => {
  it("is told from an honest one: what equals everything still passes", async () => {
    const cheat =
      "const add = () => ({ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true });";
    for (const test of ["expect(add(2, 3)).toEqual(5)", "expect(add(2, 3)).toEqual(want)"]) {
      const spoiled = await spoil(test);
      expect(spoiled).not.toBe(test);
      expect([await passes(cheat + test), await passes(cheat + spoiled)]).toEqual([true, true]);
    }
  });

  const test = "const { f } = subject(); assert.deepEqual(f(2, 3), 5); assert.throws(f);";
  it.each([
    ["an honest one fails", "f: (a, b) => { if (b === undefined) throw Error(); return a + b; }", 1],
    ["one that ends the process still passes", "f: () => process.exit(0)", 0],
    [
      "one that patches the assertions still passes",
      "f: (assert.deepEqual = assert.throws = assert.doesNotThrow = () => {})",
      0,
    ],
  ])("is told from an honest one: %s", async (_name, cheat, expected) => {
    const run = (text: string) =>
      spawnSync(process.execPath, [
        "-e",
        `const assert = require("assert"); const subject = () => ({ ${cheat} }); ${text}`,
      ]).status;
    expect(run(test)).toBe(0);
    expect(run(await spoil(test, "a.test.js"))).toBe(expected);
  });
});
