import { describe, expect, it } from "vitest";
import { createScopeNames } from "./scope-names.ts";

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
    expect(["tests/test_a.py", "conftest.py", "a.js", "x"].filter(names)).toEqual([]);
  });

  const naming: [glob: string, named: string, other: string][] = [
    ["tests/**", "tests/test_a.py", "src/a.py"],
    ["tests/", "tests/unit/a.py", "src/a.py"],
    ["tests", "tests/unit/a.py", "test/a.py"],
    ["src/**", "src/conftest.py", "conftest.py"],
    ["main.py", "main.py", "sub/main.py"],
    ["**/test_*.py", "a/b/test_c.py", "a/b/c.py"],
    ["*.test.js", "a.test.js", "a.js"],
    ["{src,tests}/**", "tests/a.py", "docs/a.py"],
    ["**/conftest.py", "a/conftest.py", "a/other.py"],
  ];

  it.each(naming)("%s names %s, and not %s", (glob, named, other) => {
    const names = createScopeNames(["**", glob]);
    expect([names(named), names(other)]).toEqual([true, false]);
  });
});
