import { describe, expect, it } from "vitest";
import { isTestConfiguration, isTestFile } from "./test-files.ts";

describe("files that checks rest on", () => {
  it.each([
    "test_a.py",
    "pkg/a_test.py",
    "src/a.test.ts",
    "src/a.spec.jsx",
    "pkg/a_test.go",
    "conftest.py",
    "tests/data/x.csv",
    "test/helper.js",
    "src/__tests__/a.js",
    "spec/a.rb",
    "fixtures/in.json",
    "pkg/testdata/golden",
    "src/test/java/ATest.java",
    "tests.py",
    "app/testadd.py",
    "test.js",
    "lib/test-add.mjs",
    "lib/add-test.cjs",
    "lib/add_test.ts",
  ])("%s is a test or its fixture", (path) => expect(isTestFile(path)).toBe(true));

  it.each([
    "main.py",
    "src/latest.py",
    "contest/a.py",
    "attest.js",
    "src/testing.ts",
    "testing.py",
    "src/latest.js",
    "protest_a.py",
    "specs.md",
  ])("%s is none", (path) => expect(isTestFile(path)).toBe(false));

  it.each([
    "pytest.ini",
    "sub/tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "package.json",
    ".npmrc",
    "jest.config.js",
    "jest.config.json",
    "vitest.config.mts",
    "vitest.setup.ts",
    ".mocharc.yml",
    "Makefile",
    "noxfile.py",
    "tsconfig.json",
    "tsconfig.test.json",
    "node_modules/jest/index.js",
    ".venv/bin/pytest",
  ])("%s is configuration", (path) => expect(isTestConfiguration(path)).toBe(true));

  it.each(["main.py", "config.json", "src/config.ts", "package.py", "docs/Makefile.md"])("%s is none", (path) =>
    expect(isTestConfiguration(path)).toBe(false),
  );
});
