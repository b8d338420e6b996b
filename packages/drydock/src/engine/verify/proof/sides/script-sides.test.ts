import { describe, expect, it } from "vitest";
import { sideOf } from "./testing/side-of.ts";

const HEAD =
  "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../calc.js');\n";

describe("on the test side of a JavaScript test is", () => {
  it.each([
    [
      "a reference",
      "ref",
      "const { slow } = require('./ref.js');\ntest('a', () => assert.equal(add(1, 2), slow(1, 2)));",
    ],
    [
      "a reference that is imported",
      "ref",
      "import { slow } from './ref.js';\nimport { expect } from 'vitest';\ntest('a', () => expect(add(1, 2)).toBe(slow(1, 2)));",
    ],
    [
      "a constant",
      "ref",
      "const ref = require('./ref.js');\ntest('a', () => { assert.deepEqual(add(1, 2), ref.WANT); });",
    ],
    [
      "a constant that stands first and says so",
      "ref",
      "const { expected } = require('./ref.js');\ntest('a', () => assert.strictEqual(expected, add(1, 2)));",
    ],
    [
      "a table of cases",
      "cases",
      "const { cases } = require('./cases.js');\nfor (const [a, b, want] of cases) test('a', () => assert.strictEqual(add(a, b), want));",
    ],
    [
      "a table of objects",
      "cases",
      "const cases = require('./cases.js');\nfor (const { a, want } of cases) test('a', () => assert.strictEqual(add(a, 1), want));",
    ],
    [
      "a table by forEach",
      "cases",
      "const cases = require('./cases.js');\ncases.forEach(({ a, want }) => { test('a', () => { assert.equal(add(a, 1), want); }); });",
    ],
    [
      "a table by test.each",
      "cases",
      "import { CASES } from './cases.js';\ntest.each(CASES)('%s', (a, b, want) => { expect(add(a, b)).toBe(want); });",
    ],
    [
      "a table of rejected inputs",
      "cases",
      "import { BAD } from './cases.js';\nfor (const text of BAD) test(text, () => { assert.throws(() => add(text)); });",
    ],
    [
      "a matcher with not",
      "ref",
      "import { slow } from './ref.js';\ntest('a', () => { expect(add(1, 2)).not.toEqual(slow(1)); });",
    ],
    [
      "what a result resolves to",
      "ref",
      "import { slow } from './ref.js';\ntest('a', async () => { await expect(add(1, 2)).resolves.toEqual(slow(1)); });",
    ],
    [
      "what a variable holds",
      "ref",
      "const { slow } = require('./ref.js');\ntest('a', () => { const want = slow(1); const got = add(1, 2); assert.equal(got, want); });",
    ],
    [
      "a comparison that throws",
      "ref",
      "const { WANT } = require('./ref.js');\nif (add(1, 2) !== WANT) throw new Error('add');",
    ],
    [
      "a comparison inside of assert.ok",
      "ref",
      "const { WANT } = require('./ref.js');\ntest('a', () => assert.ok(add(1, 2) === WANT));",
    ],
    [
      "a threshold",
      "limits",
      "const limits = require('./limits.js');\ntest('a', () => { assert(add(1, 2) < limits.most); });",
    ],
    [
      "an asserter in an arrow function",
      "ensure",
      "const { ensure } = require('./ensure.js');\ntest('a', () => ensure(add(1, 2), 3));",
    ],
    [
      "an asserter in a block",
      "ensure",
      "const { ensure } = require('./ensure.js');\ntest('a', () => { ensure(add(1, 2), 3); });",
    ],
    [
      "an asserter that is awaited",
      "kit",
      "const kit = require('./kit.js');\ntest('a', async () => { await kit.same(await add(1, 2), 3); });",
    ],
    [
      "an asserter with a name and a result",
      "snapshot",
      "const { match } = require('./snapshot.js');\ntest('a', () => { match('home', add(1, 2)); });",
    ],
    [
      "what a helper of the test compares with",
      "ref",
      "const { slow } = require('./ref.js');\nfunction check(got, want) { assert.equal(got, want); }\ntest('a', () => { check(add(1, 2), slow(1, 2)); });",
    ],
    [
      "what is mapped over",
      "cases",
      "const { ALL } = require('./cases.js');\nconst wrong = ALL.filter(({ a, want }) => add(a, 1) !== want);\nassert.equal(wrong.length, 0);",
    ],
    [
      "what typed tests compare with",
      "ref",
      "import { slow } from './ref.ts';\ntest('a', () => { expect(add(1, 2)).toEqual(slow(1)); });",
    ],
  ])("%s", async (_, name, text) => {
    const head = text.startsWith("import") ? "import { add } from '../calc.js';\n" : HEAD;
    expect(await sideOf("test/a.test.ts", `${head}${text}\n`, name)).toBe("test side");
    expect(await sideOf("test/a.test.ts", `${head}${text}\n`, "calc")).toBe("source");
  });
});

describe("source of a JavaScript test is", () => {
  it.each([
    ["what is compared with a literal", "calc", "test('a', () => assert.equal(add(1, 2), 3));"],
    ["what is compared with a literal that stands first", "calc", "test('a', () => assert.equal(3, add(1, 2)));"],
    ["what is expected to be a literal", "calc", "test('a', () => { expect(add(1, 2)).toBe(3); });"],
    ["what is only wanted to be true", "calc", "test('a', () => { assert.ok(add(1, 2)); });"],
    ["what is expected to be true", "calc", "test('a', () => { expect(add(1, 2)).toBeTruthy(); });"],
    ["what should throw", "calc", "test('a', () => { assert.throws(() => add(1, 2), /wrong/); });"],
    ["what stands on both sides", "calc", "test('a', () => { assert.equal(add(1, 2), add(2, 1)); });"],
    [
      "a list that is gone through and looked at",
      "plugins",
      "const { plugins } = require('./plugins.js');\nfor (const p of plugins) test('a', () => { assert.ok(p.valid); });",
    ],
    [
      "a class on the expected side",
      "point",
      "const { Point } = require('./point.js');\ntest('a', () => { assert.deepEqual(add(1, 2), new Point(3)); });",
    ],
    [
      "an enumeration on the expected side",
      "kinds",
      "import { Kind } from './kinds.js';\ntest('a', () => { expect(add(1, 2)).toBe(Kind.Sum); });",
    ],
    [
      "a helper for arguments",
      "pair",
      "const { pair } = require('./pair.js');\ntest('a', () => { assert.equal(add(...pair()), 5); });",
    ],
    [
      "a plain argument",
      "options",
      "const options = require('./options.js');\ntest('a', () => { assert.equal(add(options.base, 1), 5); });",
    ],
    [
      "what is handed records and asserts nothing",
      "store",
      "const { save } = require('./store.js');\ntest('a', () => { save(add(1, 2)); });",
    ],
    ["what is called for its effects", "calc", "test('a', () => { add(1, 2); assert.equal(globalThis.sum, 3); });"],
    ["an object with methods", "calc", "test('a', () => { const q = add(1); q.push(2); assert.equal(q.pop(), 2); });"],
    [
      "the rest of a round trip",
      "codec",
      "const { encode } = require('./codec.js');\ntest('a', () => { assert.equal(encode(add(1, 2)), 3); });",
    ],
    [
      "what stands second where literals stand first",
      "calc",
      "const { slow } = require('./ref.js');\ntest('a', () => { assert.equal(3, add(1, 2)); assert.equal(slow(1), add(1, 0)); });",
    ],
    [
      "a constant beside what another reads",
      "version",
      "const { VERSION } = require('./version.js');\nconst { read } = require('./manifest.js');\ntest('a', () => { assert.equal(VERSION, read()); });",
    ],
    [
      "a module that is required in place",
      "fields",
      "test('a', () => { assert.deepEqual(require('./fields.js').all, ['a']); });",
    ],
    [
      "a type",
      "types",
      "import type { Sum } from './types.js';\ntest('a', () => { expect(add(1, 2)).toBe(3 as Sum); });",
    ],
    [
      "what a helper of the test calls",
      "calc",
      "const run = (a) => add(a, 1);\ntest('a', () => { assert.equal(run(2), 3); });",
    ],
    [
      "what is compared with a file",
      "calc",
      "const fs = require('fs');\ntest('a', () => { assert.equal(fs.readFileSync('golden/x.txt', 'utf8'), add(1, 2)); });",
    ],
  ])("%s", async (_, name, text) => {
    const head = text.startsWith("import") ? "import { add } from '../calc.js';\n" : HEAD;
    expect(await sideOf("test/a.test.ts", `${head}${text}\n`, name)).toBe("source");
  });
});
