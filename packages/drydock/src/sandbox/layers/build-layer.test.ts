import type { DrydockError } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import type { RawChange } from "./build-layer.ts";
import { EMPTY_SNAPSHOT } from "./snapshot.ts";
import { brief, build, DIRECTORY, file, makeSample } from "./testing/build-layer.ts";
import { sha256 } from "./testing/layers.ts";

describe("a layer", () => {
  test("of a run that changed nothing is empty, whatever was copied up", async () => {
    const snapshot = await makeSample();
    const raw: RawChange[] = [
      { path: "src", ...DIRECTORY },
      file("src/a.txt", "src/a.txt"),
      { path: "src/deep", ...DIRECTORY },
      { path: "link", type: "symlink", mode: 0o777, target: "src/a.txt" },
      { path: "never-was", type: "whiteout", mode: 0 },
    ];
    const layer = build(snapshot, raw);
    expect(layer.entries).toEqual([]);
    expect(layer.treeHash).toBe(snapshot.treeHash);
    expect(layer.baseHash).toBe(snapshot.treeHash);
  });

  test("tells what lay below a changed, a deleted and a re-moded path", async () => {
    const layer = build(await makeSample(), [
      file("src/a.txt", "new"),
      { path: "src/b.txt", type: "whiteout", mode: 0 },
      { path: "empty", type: "directory", mode: 0o700 },
      { path: "link", type: "symlink", mode: 0o777, target: "elsewhere" },
    ]);
    const was = { wasType: "file", wasMode: 0o644 };
    const [a, b] = [sha256("src/a.txt"), sha256("src/b.txt")];
    expect(layer.entries).toEqual([
      { path: "empty", kind: "changed", type: "directory", mode: 0o700, wasType: "directory", wasMode: 0o755 },
      {
        path: "link",
        kind: "changed",
        type: "symlink",
        mode: 0o777,
        target: "elsewhere",
        wasType: "symlink",
        wasMode: 0o777,
        wasTarget: "src/a.txt",
      },
      {
        path: "src/a.txt",
        kind: "changed",
        type: "file",
        mode: 0o644,
        size: 3,
        sha256: sha256("new"),
        ...was,
        wasSha256: a,
      },
      { path: "src/b.txt", kind: "deleted", type: "file", mode: 0o644, size: 9, sha256: b, ...was, wasSha256: b },
    ]);
  });

  test("lists every path below a deleted directory", async () => {
    expect(brief(build(await makeSample(), [{ path: "src", type: "whiteout", mode: 0 }]))).toEqual([
      "deleted directory src",
      "deleted file src/a.txt",
      "deleted file src/b.txt",
      "deleted directory src/deep",
      "deleted file src/deep/c.txt",
    ]);
  });

  test("compares a directory that was replaced entirely with the one below, path by path", async () => {
    const raw: RawChange[] = [
      { path: "src", ...DIRECTORY, opaque: true },
      file("src/a.txt", "src/a.txt"),
      file("src/n", "n"),
    ];
    expect(brief(build(await makeSample(), raw))).toEqual([
      "deleted file src/b.txt",
      "deleted directory src/deep",
      "deleted file src/deep/c.txt",
      "added file src/n",
    ]);
  });

  test("names a path that became another type once, with the type it had", async () => {
    const layer = build(await makeSample(), [
      { path: "src/a.txt", type: "symlink", mode: 0o777, target: "b.txt" },
      { path: "src/b.txt", ...DIRECTORY },
      file("src/b.txt/inner", "x"),
      file("src/deep", "a file now"),
    ]);
    expect(brief(layer)).toEqual([
      "changed symlink src/a.txt",
      "changed directory src/b.txt",
      "added file src/b.txt/inner",
      "changed file src/deep",
      "deleted file src/deep/c.txt",
    ]);
    expect(layer.entries.map((entry) => entry.wasType)).toEqual(["file", "file", undefined, "directory", "file"]);
  });

  test("of a run without a workspace starts from the empty tree", () => {
    const layer = build(EMPTY_SNAPSHOT, [file("a/b", "x"), file(".git/config", "x")], {}, null);
    expect(brief(layer)).toEqual(["added directory a", "added file a/b"]);
    expect(layer).toMatchObject({ workspace: null, baseHash: EMPTY_SNAPSHOT.treeHash, denied: [] });
  });

  test("refuses a walk that reports a path out of the layer or a file without content", () => {
    for (const path of ["../x", "/etc/x", "a//b", "a/./b", "", "a\0b"]) {
      expect(() => build(EMPTY_SNAPSHOT, [file(path, "x")])).toThrow(
        expect.objectContaining({ code: "internal" }) as DrydockError,
      );
    }
    expect(() => build(EMPTY_SNAPSHOT, [{ path: "a", type: "file", mode: 0o644, size: 3 }])).toThrow("content hash");
  });
});

describe("denied", () => {
  test("are paths outside the write scope, protected, hidden, special, or of the version store", async () => {
    const raw: RawChange[] = [
      file("src/ok", "x"),
      file("secret.pem", "x"),
      file("locked/x", "x"),
      file("other", "x"),
      { path: "src/pipe", type: "other", mode: 0o644 },
      { path: ".git", ...DIRECTORY },
      file(".git/hooks/pre-commit", "x"),
    ];
    const layer = build(await makeSample(), raw, {
      hidden: (path) => path.endsWith(".pem"),
      protectedPath: (path) => path.startsWith("locked"),
      writable: (path) => path !== "other",
    });
    expect(layer.denied).toEqual([".git/hooks/pre-commit", "locked", "locked/x", "other", "secret.pem", "src/pipe"]);
    expect(layer.entries.map((entry) => entry.path)).not.toContain("src/pipe");
  });

  test("are hidden paths that go with the directory around them", async () => {
    const layer = build(await makeSample(), [{ path: "src", type: "whiteout", mode: 0 }], {
      hidden: (path) => path === "src/deep/c.txt",
    });
    expect(layer.denied).toEqual(["src/deep/c.txt"]);
  });

  test("are not new directories that lead into the write scope, but those that lead nowhere", async () => {
    const writable = (path: string) => path.startsWith("out/deep/");
    const raw: RawChange[] = [
      { path: "out", ...DIRECTORY },
      { path: "out/deep", ...DIRECTORY },
      file("out/deep/x", "x"),
    ];
    expect(build(EMPTY_SNAPSHOT, raw, { writable }).denied).toEqual([]);
    expect(build(EMPTY_SNAPSHOT, raw.slice(0, 2), { writable }).denied).toEqual(["out", "out/deep"]);
  });
});
