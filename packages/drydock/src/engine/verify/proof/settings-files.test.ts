import { describe, expect, it } from "vitest";
import { hasSameSettings } from "./settings-files.ts";

const PYTEST = '[tool.pytest.ini_options]\naddopts = "-q"\n';

describe("settings of test runners", () => {
  const same: [path: string, before: string, after: string][] = [
    [
      "pyproject.toml",
      `[project]\nname = "a"\n${PYTEST}`,
      `[project] # mine\nname = "a"\ndependencies = ["b"]\n${PYTEST}`,
    ],
    ["pyproject.toml", PYTEST, `[build-system]\nrequires = ["setuptools"]\n${PYTEST}`],
    [
      "setup.cfg",
      "[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n",
      "[metadata]\nname = b\n[tool:pytest]\naddopts = -q\n",
    ],
    [
      "pyproject.toml",
      `[tool.hatch.envs.a]\ndependencies = ["b"]\nscripts = { test = "x" }\n`,
      `[tool.hatch.envs.a]\ndependencies = ["c"]\nscripts = { test = "x" }\n`,
    ],
    ["package.json", '{"scripts":{"test":"x"}}', '{"version":"2","bin":"a.js","scripts":{"test":"x","start":"y"}}'],
    ["package.json", '{"imports":{"#a":"./a.js"}}', '{"imports":{"#a":"./a.js","#b":"./b.js"}}'],
  ];
  it.each(same)("%s: %j and %j are the same", async (path, before, after) => {
    expect(await hasSameSettings(path, before, after)).toBe(true);
  });

  const other: [path: string, before: string, after: string][] = [
    ["pyproject.toml", PYTEST, '[tool.pytest.ini_options]\naddopts = "-p evil"\n'],
    ["pyproject.toml", PYTEST, `[project]\ndescription = """\n${PYTEST}\n"""\n`],
    ["pyproject.toml", PYTEST, `${PYTEST}[tool.mypy]\nignore_errors = true\n`],
    ["pyproject.toml", PYTEST, "[tool.pytest"],
    ["setup.cfg", "[tool:pytest]\naddopts = -q\n", "[tool:pytest]\naddopts = -p evil\n"],
    ["package.json", '{"scripts":{"test":"x"}}', '{"scripts":{"test":"true"}}'],
    ["package.json", '{"scripts":{"test":"x"}}', '{"scripts":{"test":"x","pretest":"evil"}}'],
    ["package.json", "{}", '{"jest":{"testMatch":[]}}'],
    ["package.json", "{}", '{"type":"module"}'],
    ["package.json", '{"imports":{"#a":"./a.js"}}', '{"imports":{"#a":"./b.js"}}'],
    ["package.json", '{"imports":{"#*":"./*.js"}}', '{"imports":{"#*":"./*.js","#a":"./b.js"}}'],
    ["setup.cfg", "[metadata]\nname = a\n", "[metadata]\n  [flake8]\nexclude = src\nname = a\n"],
    ["setup.cfg", "[tool:pytest]\naddopts = -q\n", "[tool:pytest]\naddopts = -q\n  [metadata]\nxfail_strict = no\n"],
    ["pyproject.toml", '[tool.pdm.scripts]\ntest = "pytest"\n', '[tool.pdm.scripts]\ntest = "true"\n'],
    [
      "pyproject.toml",
      '[tool.hatch.envs.default.scripts]\ntest = "pytest"\n',
      '[tool.hatch.envs.default.scripts]\ntest = "true"\n',
    ],
    ["pytest.ini", "a", "b"],
  ];
  it.each(other)("%s: %j and %j are not", async (path, before, after) => {
    expect(await hasSameSettings(path, before, after)).toBe(false);
  });

  it("the type of a package is free where all tests say by their names what they are", async () => {
    expect(await hasSameSettings("package.json", "{}", '{"type":"module"}', { typeDecides: false })).toBe(true);
  });
});

it("compares the scripts that were run, where that was seen", async () => {
  const [before, after] = ['{"scripts":{"test":"a","build":"b"}}', '{"scripts":{"test":"a","build":"c"}}'];
  expect(await hasSameSettings("package.json", before, after)).toBe(false);
  expect(await hasSameSettings("package.json", before, after, { usedScripts: new Set(["test"]) })).toBe(true);
  expect(await hasSameSettings("package.json", before, after, { usedScripts: new Set(["run", "build"]) })).toBe(false);
  const hooked = '{"scripts":{"test":"a","build":"b","pretest":"c"}}';
  expect(await hasSameSettings("package.json", before, hooked, { usedScripts: new Set(["test"]) })).toBe(false);
});
