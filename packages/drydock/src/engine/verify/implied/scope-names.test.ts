import { describe, expect, it } from "vitest";
import { createScopeNames } from "./scope-names.ts";
import { isTestConfiguration, isTestFile } from "./test-files.ts";

const isTest = (path: string) => isTestFile(path) || isTestConfiguration(path);

describe("a scope", () => {
  it.each([
    "**",
    "*",
    "**/*",
    "*.py",
    "**/*.js",
    "*.*",
    "**/*.{js,ts}",
    "./**",
    "*/*",
    "?",
    "**/**/*.py",
    "{**,x}",
    "[a-z]*",
    "**/{*,.*}",
    "?*",
    "*_*.py",
  ])("%s names nothing in particular", (glob) => {
    const names = createScopeNames([glob]);
    const paths = ["tests/test_a.py", "conftest.py", "a.js", "x"];
    expect(paths.filter((path) => names(path, false) || names(path, true))).toEqual([]);
  });

  const naming: [glob: string, named: string, other: string][] = [
    ["tests/**", "tests/test_a.py", "src/a.py"],
    ["tests/", "tests/unit/a.py", "src/a.py"],
    ["tests", "tests/unit/a.py", "test/a.py"],
    ["src/**", "src/a.py", "conftest.py"],
    ["main.py", "main.py", "sub/main.py"],
    ["**/test_*.py", "a/b/test_c.py", "a/b/c.py"],
    ["*.test.js", "a.test.js", "a.js"],
    ["{src,tests}/**", "tests/a.py", "docs/a.py"],
    ["**/conftest.py", "a/conftest.py", "a/other.py"],
  ];

  it.each(naming)("%s names %s, and not %s", (glob, named, other) => {
    const names = createScopeNames(["**", glob]);
    expect([names(named, isTest(named)), names(other, isTest(other))]).toEqual([true, false]);
  });

  it.each([
    ["src/**", "src/a.test.ts"],
    ["src/", "src/conftest.py"],
    ["src", "src/test_a.py"],
    ["src/*.ts", "src/a.test.ts"],
    ["src/**/*.py", "src/deep/test_a.py"],
    ["{src,lib}/**", "lib/a.spec.js"],
    ["packages/app/**", "packages/app/package.json"],
  ])("%s names a place, and not the judge %s in it", (glob, path) => {
    const names = createScopeNames([glob]);
    expect([
      names(path, true),
      names("src/a.ts", false) || names("src/a.py", false) || names("packages/app/a", false),
    ]).toEqual([false, true]);
  });

  it.each([
    ["src/*.test.ts", "src/a.test.ts"],
    ["src/a.test.ts", "src/a.test.ts"],
    ["src/tests/**", "src/tests/data.json"],
    ["{src,tests}/**", "tests/test_a.py"],
    ["packages/app/package.json", "packages/app/package.json"],
    ["**/conftest.py", "src/conftest.py"],
  ])("%s names the judge %s outright", (glob, path) => {
    expect(createScopeNames([glob])(path, true)).toBe(true);
  });
});
