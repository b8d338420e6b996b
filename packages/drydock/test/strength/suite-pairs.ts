import type { Files } from "../verify/judge.ts";

/** One change with two suites: one that checks what it does, and one that only calls it. Both pass. */
export interface SuitePair {
  name: string;
  cmd: string;
  good: Files;
  vacuous: Files;
}

interface Recipe {
  name: string;
  python: string;
  script: string;
  /** Arguments of a call, and what it gives. */
  cases(n: number): [args: readonly number[], result: number | boolean][];
}

/** `N` stands for a number that differs from pair to pair. */
const RECIPES: readonly Recipe[] = [
  {
    name: "scale",
    python: "def scale(a):\n    if a < 0:\n        return 0\n    return a * N + 1\n",
    script: "export function scale(a) {\n  if (a < 0) return 0;\n  return a * N + 1;\n}\n",
    cases: (n) => [
      [[3], 3 * n + 1],
      [[-1], 0],
      [[0], 1],
    ],
  },
  {
    name: "clamp",
    python: "def clamp(a):\n    if a > N:\n        return N\n    return a\n",
    script: "export function clamp(a) {\n  if (a > N) return N;\n  return a;\n}\n",
    cases: (n) => [
      [[n + 5], n],
      [[n - 1], n - 1],
      [[0], 0],
    ],
  },
  {
    name: "between",
    python: "def between(a, b):\n    return a >= N and b <= N\n",
    script: "export function between(a, b) {\n  return a >= N && b <= N;\n}\n",
    cases: (n) => [
      [[n, n], true],
      [[n - 1, n], false],
      [[n, n + 1], false],
    ],
  },
  {
    name: "sum_to",
    python: "def sum_to(a):\n    total = N\n    for i in range(a):\n        total += i\n    return total\n",
    script:
      "export function sum_to(a) {\n  let total = N;\n  for (let i = 0; i < a; i++) total += i;\n  return total;\n}\n",
    cases: (n) => [
      [[4], n + 6],
      [[0], n],
    ],
  },
  {
    name: "remainder",
    python: "def remainder(a, b):\n    return (a - b) % N if a > b else -1\n",
    script: "export function remainder(a, b) {\n  return a > b ? (a - b) % N : -1;\n}\n",
    cases: (n) => [
      [[n + 2, 1], (n + 1) % n],
      [[1, 2], -1],
      [[2, 2], -1],
    ],
  },
];

/** The same pairs each time: recipes, numbers and languages in turn. */
export function makeSuitePairs(count: number): SuitePair[] {
  return Array.from({ length: count }, (_, index) => {
    const recipe = RECIPES[index % RECIPES.length] as Recipe;
    const n = 3 + index;
    return index % 2 === 0 ? makePythonPair(recipe, n) : makeScriptPair(recipe, n);
  });
}

function makePythonPair({ name, python, cases }: Recipe, n: number): SuitePair {
  const source = { "change.py": python.replaceAll("N", String(n)) };
  const literal = (value: number | boolean) => (value === true ? "True" : value === false ? "False" : String(value));
  const suite = (line: (call: string, result: string) => string) => {
    const lines = cases(n).map(([args, result]) => `    ${line(`${name}(${args.join(", ")})`, literal(result))}\n`);
    return `from change import ${name}\ndef test_${name}():\n${lines.join("")}`;
  };
  return {
    name: `${name} ${n} in Python`,
    cmd: "pytest -q",
    good: { ...source, "test_change.py": suite((call, result) => `assert ${call} == ${result}`) },
    vacuous: { ...source, "test_change.py": suite((call) => `assert ${call} is not None`) },
  };
}

function makeScriptPair({ name, script, cases }: Recipe, n: number): SuitePair {
  const source = { "package.json": '{ "type": "module" }', "change.js": script.replaceAll("N", String(n)) };
  const suite = (line: (call: string, result: string) => string) => {
    const lines = cases(n).map(([args, result]) => `  ${line(`${name}(${args.join(", ")})`, String(result))};\n`);
    return `import assert from "node:assert";\nimport test from "node:test";\nimport { ${name} } from "./change.js";\ntest("${name}", () => {\n${lines.join("")}});\n`;
  };
  return {
    name: `${name} ${n} in JavaScript`,
    cmd: "node --test",
    good: { ...source, "change.test.js": suite((call, result) => `assert.equal(${call}, ${result})`) },
    vacuous: { ...source, "change.test.js": suite((call) => `assert.ok(typeof ${call} !== "string")`) },
  };
}
