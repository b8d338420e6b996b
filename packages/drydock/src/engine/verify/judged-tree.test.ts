import { describe, expect, it } from "vitest";
import { resolveInTree } from "./judged-tree.ts";
import { makeTree } from "./testing/directory-tree.ts";

const tree = makeTree({
  "dir/file.txt": "x",
  "dir/up": ["../dir/file.txt"],
  alias: ["dir"],
  twice: ["alias/up"],
  self: ["."],
  root: ["/etc"],
  out: ["../x"],
  "dir/out": ["../../etc/passwd"],
  "dir/sneaky": ["../dir/../../etc"],
  dangling: ["nowhere"],
  a: ["b"],
  b: ["a"],
});

describe("a path in a tree", () => {
  const found: [path: string, place: string][] = [
    ["dir/file.txt", "dir/file.txt"],
    ["dir", "dir"],
    ["dir/up", "dir/file.txt"],
    ["alias", "dir"],
    ["alias/file.txt", "dir/file.txt"],
    ["twice", "dir/file.txt"],
    ["self/dir/file.txt", "dir/file.txt"],
  ];

  it.each(found)("%s is %s", (path, place) => {
    expect(resolveInTree(tree, path)).toMatchObject({ kind: "found", path: place });
  });

  it.each(["root", "root/passwd", "out", "dir/out", "dir/sneaky", "alias/out", "a"])("%s leads nowhere", (path) => {
    expect(resolveInTree(tree, path)).toMatchObject({ kind: "outside" });
  });

  it.each(["dangling", "none", "dir/none", "dir/file.txt/x", "alias/none"])("%s is missing", (path) => {
    expect(resolveInTree(tree, path)).toEqual({ kind: "missing" });
  });
});
