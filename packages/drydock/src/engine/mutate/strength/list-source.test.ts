import { expect, it } from "vitest";
import { makeTree } from "../../verify/testing/directory-tree.ts";
import { findChangedLines } from "./changed-lines.ts";
import { listSource } from "./list-source.ts";

it("takes source, and neither tests, configuration, types nor what is built or installed", async () => {
  const source = { "a.py": "x", "src/b.ts": "x", "src/c.jsx": "x" };
  const other = [
    "test_a.py",
    "tests/help.py",
    "conftest.py",
    "b.test.ts",
    "b.d.ts",
    "vite.config.ts",
    "eslint.config.js",
  ].concat(["node_modules/p/i.js", "dist/b.js", "lib.min.js", ".venv/x.py", "README.md", "setup.py", ".eslintrc.cjs"]);
  const tree = makeTree({ ...source, ...Object.fromEntries(other.map((path) => [path, "x"])) });
  const files = await listSource(tree, null);
  expect(files.map(({ path }) => path)).toEqual(Object.keys(source));
});

it("takes only the lines that are new or changed", async () => {
  const before = makeTree({ "a.py": "1\n2\n3\n", "same.py": "1\n", "less.py": "1\n2\n" });
  const tree = makeTree({ "a.py": "1\ntwo\n3\n4\n", "same.py": "1\n", "less.py": "1\n", "new.py": "1\n" });
  expect(await listSource(tree, before)).toMatchObject([
    {
      path: "a.py",
      lines: [
        [2, 2],
        [4, 4],
      ],
    },
    { path: "new.py", lines: null },
  ]);
  const read: string[] = [];
  const counted = {
    ...tree,
    read(path: string) {
      read.push(path);
      return tree.read(path);
    },
  };
  await listSource(counted, before);
  expect(read).toEqual(["a.py", "less.py", "new.py"]);
  expect(findChangedLines("a\nb\n", "x\na\nb\ny\nz\n")).toEqual([
    [1, 1],
    [4, 5],
  ]);
});
