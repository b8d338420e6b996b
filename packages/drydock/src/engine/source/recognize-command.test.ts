import type { Check } from "@drydock/protocol";
import { expect, it } from "vitest";
import { makeTree } from "../verify/testing/directory-tree.ts";
import { recognizeCommand } from "./recognize-command.ts";

const scripts = { test: "node --test", odd: "node --test", preodd: "make" };
const tree = makeTree({ "package.json": JSON.stringify({ scripts }) });
const read = (cmd: string, more: object = {}) => recognizeCommand({ type: "command", cmd, ...more } as Check, tree);

it.each([
  ["pytest -q tests", { run: "pytest", args: ["-q", "tests"] }],
  ["python3 -m pytest 'a b'", { run: "module", name: "pytest", args: ["a b"] }],
  ["python -m unittest", { run: "module", name: "unittest", args: [] }],
  [
    "PYTHONPATH=src python3 check.py 1",
    { run: "script", name: "check.py", args: ["1"], environment: { PYTHONPATH: "src" } },
  ],
  ["node --test", { language: "node", patterns: [] }],
  ["node --test --test-reporter=dot test/*.js", { language: "node", patterns: ["test/*.js"] }],
  ["npm test", { language: "node", patterns: [] }],
])("%s can be run warm", async (cmd, expected) => {
  expect(await read(cmd)).toMatchObject(expected);
});

it.each([
  "pytest && echo ok",
  "pytest | tail -1",
  "pytest $FLAGS",
  "pytest tests/*.py",
  "cd sub; pytest",
  "PYTHONHASHSEED=3 pytest",
  "python3 -c 'import a'",
  "node test.js",
  "node --test --import ./hook.js",
  "NODE_OPTIONS=-r node --test",
  "npm run odd",
  "npm run none",
  "make test",
  ".venv/bin/pytest",
])("%s has to be run as it stands", async (cmd) => {
  expect(await read(cmd)).toBeNull();
});

it("leaves checks alone whose output, service or report counts", async () => {
  expect(await read("pytest", { start: "python3 -m http.server" })).toBeNull();
  expect(await read("pytest", { junit: "out.xml" })).toBeNull();
  expect(await recognizeCommand({ type: "command_contains", cmd: "pytest", needle: "1 passed" }, tree)).toBeNull();
});
