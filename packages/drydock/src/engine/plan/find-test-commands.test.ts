import { expect, it } from "vitest";
import type { WorkTree } from "../../sandbox/index.ts";
import { findTestCommands } from "./find-test-commands.ts";

function treeOf(files: Record<string, string>): WorkTree {
  const found = Object.entries(files).map(([path, text]) => ({ path, size: text.length }));
  const read = async (path: string) => (files[path] === undefined ? null : Buffer.from(files[path]));
  const lookup = (path: string) => ({ type: "file", mode: 0o644, size: files[path]?.length ?? 0 });
  return { files: () => found, read, lookup } as unknown as WorkTree;
}

const manifest = (test: string) => JSON.stringify({ scripts: { test } });
const NODE_TEST = 'import { test } from "node:test";\n';

it.each([
  ["pytest by its settings", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["pytest -q"]],
  ["pytest by its tests", { "test_a.py": "def test_a(): pass\n" }, ["pytest -q"]],
  ["pytest that starts above its tests", { "shop/a.py": "", "tests/test_a.py": "" }, ["python3 -m pytest -q"]],
  ["pytest whose tests are a package", { "tests/__init__.py": "", "tests/test_a.py": "" }, ["pytest -q"]],
  ["pytest with a conftest.py at the top", { "conftest.py": "", "tests/test_a.py": "" }, ["pytest -q"]],
  [
    "pytest that is told its path",
    { "pytest.ini": "[pytest]\npythonpath = .\n", "tests/test_a.py": "" },
    ["pytest -q"],
  ],
  ["pytest that is not", { "pytest.ini": "[pytest]\n", "tests/test_a.py": "" }, ["python3 -m pytest -q"]],
  ["unittest by its import", { "test_a.py": "import unittest\n" }, ["python3 -m unittest"]],
  ["a script that is a plain command", { "package.json": manifest("node --test") }, ["node --test"]],
  ["a script that is more than that", { "package.json": manifest("node --test && rm -rf x") }, ["npm test"]],
  ["a script that only begins like one", { "package.json": manifest("node --test $(id)") }, ["npm test"]],
  ["a package below", { "web/package.json": manifest("node --test test/") }, ["cd web && node --test test/"]],
  ["tests of Node that no script starts", { "package.json": "{}", "test/a.js": NODE_TEST }, ["node --test"]],
  ["both languages", { "package.json": manifest("vitest"), "test_a.py": "" }, ["npm test", "pytest -q"]],
  ["a script that is none", { "package.json": manifest('echo "no test specified" && exit 1') }, []],
  ["nothing in what tools fill", { "node_modules/a/package.json": manifest("node --test") }, []],
  ["neither lint nor build", { "package.json": JSON.stringify({ scripts: { lint: "x", build: "y" } }) }, []],
  ["nothing", { "README.md": "# Tests" }, []],
])("finds %s", async (_name, files, commands) => {
  expect(await findTestCommands(treeOf(files))).toEqual(commands);
});
