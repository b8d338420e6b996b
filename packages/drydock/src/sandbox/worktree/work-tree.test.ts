import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Layer } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { hashNaively } from "../layers/testing/layers.ts";
import { openBench, rulesFor, text } from "./testing/workbench.ts";

const FILES = { "a.txt": "one\n", "src/app.py": "x = 1\n", "src/deep/more.py": "y = 2\n", "README.md": "# hi\n" };
const denied = { code: "policy.path_denied" };

describe("a tree without changes", () => {
  test("has the workspace's hash and an empty layer", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const tree = workbench.tree(null);
    expect(tree.treeHash).toBe(hashNaively(workspace));
    expect(tree.layer).toMatchObject({
      workspace,
      baseHash: workbench.treeHash,
      treeHash: workbench.treeHash,
      entries: [],
    });
    expect(await tree.diff()).toBe("");
  });

  test("lists, looks up and reads what is there", async () => {
    const { workbench } = await openBench(FILES);
    const tree = workbench.tree(null);
    expect(tree.paths()).toEqual(["README.md", "a.txt", "src", "src/app.py", "src/deep", "src/deep/more.py"]);
    expect(tree.paths("src/deep")).toEqual(["src/deep/more.py"]);
    expect(tree.paths("nowhere")).toEqual([]);
    expect(tree.children("src")).toEqual(["app.py", "deep"]);
    expect(tree.children("a.txt")).toBeUndefined();
    expect(tree.lookup("src/app.py")).toMatchObject({ type: "file", mode: 0o644, size: 6 });
    expect((await tree.read("src/app.py"))?.toString()).toBe("x = 1\n");
    expect(await tree.read("src")).toBeNull();
    expect(await tree.read("../a.txt")).toBeNull();
  });

  test("hidden files do not exist", async () => {
    const { workbench } = await openBench({ ...FILES, ".env": "KEY=1", "src/.env": "KEY=2", "secrets/key": "3" });
    const tree = workbench.tree(null);
    expect(tree.paths()).toEqual(["README.md", "a.txt", "src", "src/app.py", "src/deep", "src/deep/more.py"]);
    expect(tree.children("")).toEqual(["README.md", "a.txt", "src"]);
    expect(tree.paths("secrets")).toEqual([]);
    for (const path of [".env", "src/.env", "secrets", "secrets/key"]) {
      expect(tree.lookup(path)).toBeUndefined();
      expect(await tree.read(path)).toBeNull();
    }
  });

  test("no symlink is followed", async () => {
    const { workbench, workspace } = await openBench(FILES);
    symlinkSync("/etc", join(workspace, "etc"));
    symlinkSync("a.txt", join(workspace, "link"));
    await workbench.refresh();
    const tree = workbench.tree(null);
    expect(tree.lookup("link")).toMatchObject({ type: "symlink", target: "a.txt" });
    expect(await tree.read("link")).toBeNull();
    expect(await tree.read("etc/passwd")).toBeNull();
    await expect(tree.apply([{ path: "etc/motd", content: text("x") }])).rejects.toMatchObject(denied);
    const replaced = await tree.apply([{ path: "link", content: text("x") }]);
    expect(replaced.lookup("link")).toMatchObject({ type: "file", mode: 0o644 });
    expect(await replaced.read("a.txt")).toEqual(text("one\n"));
  });
});

describe("writes", () => {
  test("give the tree that the directory would be", async () => {
    const { workbench, workspace } = await openBench(FILES);
    chmodSync(join(workspace, "src/app.py"), 0o755);
    await workbench.refresh();
    const tree = await workbench.tree(null).apply([
      { path: "src/app.py", content: text("x = 2\n") },
      { path: "new/dir/file.txt", content: text("new\n"), mode: 0o600 },
      { path: "src/deep", delete: true },
      { path: "a.txt", delete: true },
    ]);
    expect(tree.layer.entries.map(({ path, kind, type, mode }) => [path, kind, type, mode])).toEqual([
      ["a.txt", "deleted", "file", 0o644],
      ["new", "added", "directory", 0o755],
      ["new/dir", "added", "directory", 0o755],
      ["new/dir/file.txt", "added", "file", 0o600],
      ["src/app.py", "changed", "file", 0o755],
      ["src/deep", "deleted", "directory", 0o755],
      ["src/deep/more.py", "deleted", "file", 0o644],
    ]);
    expect((await tree.read("src/app.py"))?.toString()).toBe("x = 2\n");
    expect((await workbench.tree(null).read("src/app.py"))?.toString()).toBe("x = 1\n");
    writeFileSync(join(workspace, "src/app.py"), "x = 2\n");
    mkdirSync(join(workspace, "new"));
    const after = await tree.apply([{ path: "new", delete: true }]);
    expect(after.lookup("new")).toBeUndefined();
  });

  test("survive storage: the tree of a layer is the tree it came from", async () => {
    const { workbench } = await openBench(FILES);
    const tree = await workbench.tree(null).apply([
      { path: "src", delete: true },
      { path: "src", content: text("a file now") },
      { path: "a.txt", delete: true },
      { path: "a.txt/below", content: text("a directory now") },
    ]);
    const again = workbench.tree(Layer.parse(JSON.parse(JSON.stringify(tree.layer))));
    expect(again.layer).toEqual(tree.layer);
    expect(again.treeHash).toBe(tree.treeHash);
    expect(again.paths()).toEqual(["README.md", "a.txt", "a.txt/below", "src"]);
    expect(await again.diff()).toContain("a directory now");
  });

  test("that undo each other leave nothing", async () => {
    const { workbench } = await openBench(FILES);
    const changed = await workbench.tree(null).apply([
      { path: "x/y/z", content: text("1") },
      { path: "a.txt", delete: true },
    ]);
    const back = await changed.apply([
      { path: "x", delete: true },
      { path: "a.txt", content: text("one\n") },
    ]);
    expect(back.treeHash).toBe(workbench.treeHash);
    expect(back.layer.entries).toEqual([]);
  });

  test.each([
    "",
    "/etc/passwd",
    "../x",
    "a/../b",
    "a//b",
    "./a",
    "a/",
    "nul\0byte",
    "x".repeat(256),
    `${"d/".repeat(2100)}x`,
  ])("to the illegal path %j are refused", async (path) => {
    const { workbench } = await openBench(FILES);
    await expect(workbench.tree(null).apply([{ path, content: text("") }])).rejects.toMatchObject(denied);
    await expect(workbench.tree(null).apply([{ path, delete: true }])).rejects.toMatchObject(denied);
  });

  test("outside the scope, hidden or protected are refused, with the scope named", async () => {
    const { workbench } = await openBench({ ...FILES, "src/.env": "KEY", "locked/a": "1" }, ["src/**", "out.txt"]);
    const tree = workbench.tree(null);
    for (const path of ["a.txt", "other/x", "src/.env", "locked/a", ".git/config", ".drydock/policy.yaml", "secrets"]) {
      await expect(tree.apply([{ path, content: text("x") }])).rejects.toMatchObject(denied);
    }
    await expect(tree.apply([{ path: "a.txt", delete: true }])).rejects.toMatchObject({
      ...denied,
      hint: expect.stringContaining("src/**, out.txt"),
      data: { path: "a.txt" },
    });
    await tree.apply([{ path: "out.txt", content: text("x") }]);
  });

  test("are narrowed further for one tree, and seen from others", async () => {
    const { workbench } = await openBench(FILES);
    const narrow = workbench.tree(null, rulesFor(["src/**"], ["README.md"]));
    expect(narrow.lookup("README.md")).toBeUndefined();
    await expect(narrow.apply([{ path: "b.txt", content: text("") }])).rejects.toMatchObject(denied);
    const changed = await narrow.apply([{ path: "src/new.py", content: text("") }]);
    expect(changed.layer.denied).toEqual([]);
    expect(workbench.tree(changed.layer, rulesFor(["other/**"])).lookup("src/new.py")).toBeDefined();
  });

  test("can't take away a directory with something in it that may not be changed", async () => {
    const { workbench } = await openBench({ ...FILES, "src/.env": "KEY" });
    await expect(workbench.tree(null).apply([{ path: "src", delete: true }])).rejects.toMatchObject(denied);
  });

  test("of what can't be done say so, and change nothing", async () => {
    const { workbench, contents } = await openBench(FILES);
    const tree = workbench.tree(null);
    const invalid = { code: "input.invalid" };
    const first = { path: "b.txt", content: text("stored?") };
    await expect(tree.apply([first, { path: "gone.txt", delete: true }])).rejects.toMatchObject(invalid);
    await expect(tree.apply([first, { path: "src", content: text("") }])).rejects.toMatchObject(invalid);
    await expect(tree.apply([first, { path: "a.txt/b", content: text("") }])).rejects.toMatchObject(invalid);
    await expect(tree.apply([{ ...first, mode: 0o4755 }])).rejects.toMatchObject(invalid);
    expect(contents.held.size).toBe(0);
    expect(tree.lookup("b.txt")).toBeUndefined();
  });
});

describe("a directory that changes underneath", () => {
  test("is noticed by a read, and the tree stays as it was", async () => {
    const { workbench, workspace, contents } = await openBench(FILES);
    const tree = workbench.tree(null);
    writeFileSync(join(workspace, "a.txt"), "two\n");
    await expect(tree.read("a.txt")).rejects.toMatchObject({ code: "delivery.conflict", data: { path: "a.txt" } });
    await contents.put(text("one\n"));
    expect((await tree.read("a.txt"))?.toString()).toBe("one\n");
    expect(await workbench.refresh()).toBe(true);
    expect(await workbench.refresh()).toBe(false);
    expect((await workbench.tree(null).read("a.txt"))?.toString()).toBe("two\n");
  });

  test("makes older layers foreign until they are rebased", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const { layer } = await workbench.tree(null).apply([{ path: "src/app.py", content: text("x = 2\n") }]);
    writeFileSync(join(workspace, "a.txt"), "two\n");
    await workbench.refresh();
    expect(() => workbench.tree(layer)).toThrow(expect.objectContaining({ code: "delivery.conflict" }));
    const rebased = await workbench.rebase(layer);
    if (!rebased.ok) throw new Error("conflict");
    expect(rebased.layer).toMatchObject({ baseHash: workbench.treeHash, entries: layer.entries });
    expect(workbench.tree(rebased.layer).treeHash).toBe(rebased.layer.treeHash);
  });
});

test("a layer that leads below a link, a file or a deleted path is refused", async () => {
  const { workbench, workspace } = await openBench(FILES);
  symlinkSync("/etc", join(workspace, "etc"));
  await workbench.refresh();
  const { layer } = await workbench.tree(null).apply([{ path: "x", content: text("1") }]);
  const [entry] = layer.entries;
  if (!entry) throw new Error("no entry");
  const link = { path: "l", kind: "added", type: "symlink", mode: 0o777, target: "/etc" } as const;
  const gone = { path: "l", kind: "deleted", type: "directory", mode: 0o755, wasType: "directory" } as const;
  for (const entries of [
    [link, { ...entry, path: "l/passwd" }],
    [link, { ...entry, path: "l/deep/passwd" }],
    [gone, { ...entry, path: "l/passwd" }],
    [{ ...entry, path: "etc/passwd" }],
    [{ ...entry, path: "a.txt/passwd" }],
    [{ ...entry, path: "../x" }],
    [{ ...entry, path: "/x" }],
    [entry, entry],
  ]) {
    expect(() => workbench.tree({ ...layer, entries })).toThrow(expect.objectContaining({ code: "input.invalid" }));
  }
});

test("a tree with drafts puts nothing into the store, and trees made of it are read from there", async () => {
  const { workbench, contents } = await openBench(FILES);
  const drafts = new Map<string, Buffer>();
  const tree = await workbench.tree(null, undefined, drafts).apply([{ path: "a.txt", content: text("draft\n") }]);
  expect((await tree.read("a.txt"))?.toString()).toBe("draft\n");
  expect([contents.held.size, drafts.size]).toEqual([0, 1]);
});
