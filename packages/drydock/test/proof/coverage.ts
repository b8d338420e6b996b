/** A project with a branch that no test runs, and a check that asks for coverage. */
export const COVERED: Record<string, string> = {
  "package.json":
    '{ "name": "app", "type": "module", "scripts": { "test": "node --test --experimental-test-coverage --test-coverage-lines=95" } }\n',
  "src/a.js": "export function a(x) {\n  if (x > 5) {\n    const y = x * 2;\n    return y + 1;\n  }\n  return x;\n}\n",
  "test/a.test.js":
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { a } from '../src/a.js';\n\ntest('a', () => assert.equal(a(1), 1));\n",
};

export const NPM_TEST = { type: "command", cmd: "npm test" };
