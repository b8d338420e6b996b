import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Layer } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { writeFiles } from "../../base/testing/write-files.ts";
import { mergeText } from "./merge-text.ts";
import { openBench, text } from "./testing/workbench.ts";
import type { TreeWrite, Workbench } from "./worktree.ts";

const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const FILES = { "a.txt": LINES, "b.txt": "b\n", "d/x": "x\n", "d/y": "y\n", "bin.dat": "\0\x01\x02" };

async function layerOf(workbench: Workbench, ...writes: TreeWrite[]): Promise<Layer> {
  return (await workbench.tree(null).apply(writes)).layer;
}
const put = (path: string, content: string, mode?: number): TreeWrite => ({ path, content: text(content), mode });
const drop = (path: string): TreeWrite => ({ path, delete: true });

describe("layers of tasks that worked side by side", () => {
  test("are one: changes of different paths, and of different lines of one text", async () => {
    const { workbench } = await openBench(FILES);
    const merged = await workbench.merge([
      await layerOf(workbench, put("a.txt", LINES.replace("1", "one")), put("new/one", "1")),
      await layerOf(workbench, put("a.txt", LINES.replace("9", "nine")), put("new/two", "2"), drop("b.txt")),
      await layerOf(workbench, put("a.txt", LINES.replace("5", "five"), 0o755), drop("d/x")),
    ]);
    if (!merged.ok) throw new Error(merged.conflicts.join());
    const tree = workbench.tree(merged.layer);
    const wanted = LINES.replace("1", "one").replace("9", "nine").replace("5", "five");
    expect((await tree.read("a.txt"))?.toString()).toBe(wanted);
    expect(tree.lookup("a.txt")?.mode).toBe(0o755);
    expect(tree.paths()).toEqual(["a.txt", "bin.dat", "d", "d/y", "new", "new/one", "new/two"]);
    const written = await layerOf(
      workbench,
      put("a.txt", wanted, 0o755),
      put("new/one", "1"),
      put("new/two", "2"),
      drop("b.txt"),
      drop("d/x"),
    );
    expect(merged.layer).toEqual(written);
  });

  test("are one where both did the same", async () => {
    const { workbench } = await openBench(FILES);
    const same = [put("a.txt", "same"), put("n/ew", "same"), drop("d")];
    const layer = await layerOf(workbench, ...same);
    expect(await workbench.merge([layer, await layerOf(workbench, ...same)])).toEqual({ ok: true, layer });
    expect(await workbench.merge([])).toMatchObject({ ok: true, layer: { entries: [], treeHash: workbench.treeHash } });
  });

  test.each<[string, TreeWrite[], TreeWrite[], string[]]>([
    ["the same line", [put("b.txt", "left\n")], [put("b.txt", "right\n")], ["b.txt"]],
    ["bytes that are no text", [put("bin.dat", "\0left")], [put("bin.dat", "\0right")], ["bin.dat"]],
    ["two new files of one name", [put("n", "left")], [put("n", "right")], ["n"]],
    ["a deleted and a changed file", [drop("b.txt")], [put("b.txt", "right\n")], ["b.txt"]],
    ["a new file in a deleted directory", [drop("d")], [put("d/new", "1")], ["d/new"]],
    ["a changed file in a deleted directory", [put("d/x", "1")], [drop("d")], ["d/x"]],
    ["a file where another has a directory", [put("n", "1")], [put("n/below", "1")], ["n"]],
    ["different modes", [put("b.txt", "b\n", 0o600)], [put("b.txt", "b\n", 0o755)], ["b.txt"]],
  ])("conflict over %s", async (_, left, right, conflicts) => {
    const { workbench } = await openBench(FILES);
    const layers = [await layerOf(workbench, ...left), await layerOf(workbench, ...right)];
    expect(await workbench.merge(layers)).toEqual({ ok: false, conflicts });
    expect(await workbench.merge(layers.toReversed())).toEqual({ ok: false, conflicts });
  });
});

describe("a layer over a directory that has changed", () => {
  test("keeps its changes, and merges texts whose original was kept", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const layer = await layerOf(workbench, put("a.txt", LINES.replace("1", "one")), put("d/new", "1"), drop("b.txt"));
    await workbench.keepOriginals(layer);
    writeFiles(workspace, { "a.txt": LINES.replace("9", "nine"), other: "theirs", "d/theirs": "theirs" });
    await workbench.refresh();
    const rebased = await workbench.rebase(layer);
    if (!rebased.ok) throw new Error(rebased.conflicts.join());
    const tree = workbench.tree(rebased.layer);
    expect((await tree.read("a.txt"))?.toString()).toBe(LINES.replace("1", "one").replace("9", "nine"));
    expect(tree.paths()).toEqual(["a.txt", "bin.dat", "d", "d/new", "d/theirs", "d/x", "d/y", "other"]);
  });

  test("has nothing to do where somebody made the same change", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const layer = await layerOf(workbench, put("b.txt", "new\n"), put("n", "1"), drop("d"));
    writeFiles(workspace, { "b.txt": "new\n", n: "1" });
    rmSync(join(workspace, "d"), { recursive: true });
    await workbench.refresh();
    expect(await workbench.rebase(layer)).toMatchObject({
      ok: true,
      layer: { entries: [], baseHash: workbench.treeHash },
    });
  });

  test("conflicts where both changed the same, and says where", async () => {
    const { workbench, workspace } = await openBench({ ...FILES, "e/z": "z\n", "f/z": "z\n", mode: "m" });
    const layer = await layerOf(
      workbench,
      put("a.txt", LINES.replace("1", "one")),
      put("b.txt", "ours\n"),
      put("d/new", "1"),
      put("n", "ours"),
      put("mode", "changed"),
      drop("e"),
      drop("f"),
    );
    await workbench.keepOriginals(layer);
    writeFiles(workspace, { "a.txt": LINES.replace("1", "uno"), "e/new": "theirs", "f/z": "theirs", n: "theirs" });
    rmSync(join(workspace, "b.txt"));
    rmSync(join(workspace, "d"), { recursive: true });
    chmodSync(join(workspace, "mode"), 0o755);
    await workbench.refresh();
    expect(await workbench.rebase(layer)).toEqual({
      ok: false,
      conflicts: ["a.txt", "b.txt", "d/new", "e/new", "f/z", "n"],
    });
    writeFileSync(join(workspace, "mode"), "theirs");
  });
});

describe("three texts", () => {
  const merge = async (base: string, ours: string, theirs: string) =>
    (await mergeText(text(base), text(ours), text(theirs)))?.toString() ?? null;

  test("keep their ends of line and their last line", async () => {
    expect(await merge("a\r\nb\r\nc", "a\r\nb\r\nC", "A\r\nb\r\nc")).toBe("A\r\nb\r\nC");
    expect(await merge("a\nb\nc\n", "a\nb\nc", "A\nb\nc\n")).toBe("A\nb\nc");
    expect(await merge("", "x\n", "")).toBe("x\n");
    expect(await merge("a\nb\nc\nd\n", "c\nd\n", "a\nb\nc\nd\ne\n")).toBe("c\nd\ne\n");
  });

  test("of a size that would take for ever are a conflict", async () => {
    const many = "same\n".repeat(5000);
    expect(await merge(`${many}`, `x\n${many}y\n`, `z\n${many}${many}`)).toBeNull();
  });
});

describe("what one task changed", () => {
  test("joins what others left, although both stand on the same result", async () => {
    const { workbench } = await openBench(FILES);
    const first = await workbench.tree(null).apply([put("a.txt", LINES.replace("1", "one"))]);
    const left = await first.apply([put("a.txt", LINES.replace("1", "uno")), put("left", "l")]);
    const right = await first.apply([put("right", "r")]);
    const joined = await workbench.combine(first.layer, left.layer, right.layer);
    if (!joined.ok) throw new Error(joined.conflicts.join());
    const tree = workbench.tree(joined.layer);
    expect((await tree.read("a.txt"))?.toString()).toBe(LINES.replace("1", "uno"));
    expect(tree.paths()).toEqual(expect.arrayContaining(["left", "right"]));
    const clash = await first.apply([put("a.txt", LINES.replace("1", "eins"))]);
    expect(await workbench.combine(first.layer, left.layer, clash.layer)).toEqual({ ok: false, conflicts: ["a.txt"] });
  });

  test("can be taken back once the directory holds it", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const before = workbench.treeHash;
    const { layer } = await workbench
      .tree(null)
      .apply([put("b.txt", "other\n"), put("n/ew", "1"), drop("d/x"), drop("bin.dat")]);
    await workbench.keepOriginals(layer);
    writeFiles(workspace, { "b.txt": "other\n", "n/ew": "1" });
    rmSync(join(workspace, "d/x"));
    rmSync(join(workspace, "bin.dat"));
    expect(await workbench.refresh()).toBe(true);
    expect(workbench.treeHash).toBe(layer.treeHash);
    const back = await workbench.undo(layer);
    if (!back.ok) throw new Error(back.conflicts.join());
    const tree = workbench.tree(back.layer);
    expect(tree.treeHash).toBe(before);
    expect((await tree.read("bin.dat"))?.toString()).toBe("\0\x01\x02");
  });

  test("can't be taken back where what was there is gone", async () => {
    const { workbench, workspace } = await openBench(FILES);
    const { layer } = await workbench.tree(null).apply([put("b.txt", "other\n")]);
    writeFiles(workspace, { "b.txt": "other\n" });
    await workbench.refresh();
    expect(await workbench.undo(layer)).toEqual({ ok: false, conflicts: ["b.txt"] });
  });
});
