import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createTreeDraft } from "../worktree/tree-draft.ts";
import { diffTrees, extendDiff } from "./diff-trees.ts";
import { createSnapshot } from "./snapshot.ts";
import { EMPTY_TREE, type TreeDirectory, type TreeNode } from "./tree.ts";

const NAMES = ["a", "b", "B", "a.b", "c/d", "c/e/f", "é", "𝒳", "\ue000", "c", "c/e"];

/** Numbers that repeat for a seed, so that a failure can be repeated too. */
function createRandom(seed: number): (below: number) => number {
  let counter = 0;
  return (below) => createHash("sha256").update(`${seed}/${counter++}`).digest().readUInt32BE() % below;
}

function makeNode(random: (below: number) => number): TreeNode {
  const mode = random(4) === 0 ? 0o755 : 0o644;
  if (random(5) === 0) return { type: "symlink", mode: 0o777, target: `${random(3)}` };
  if (random(6) === 0) return { ...EMPTY_TREE, mode: 0o700 + random(2) };
  return { type: "file", mode, size: 1, sha256: `${random(3)}`.repeat(64) };
}

function change(tree: TreeDirectory, random: (below: number) => number): TreeDirectory {
  const draft = createTreeDraft(tree);
  for (let count = 1 + random(3); count > 0; count -= 1) {
    const path = NAMES[random(NAMES.length)] ?? "a";
    const parents = path.split("/").slice(0, -1);
    const isBlocked = parents.some((_, depth) => {
      const found = draft.find(parents.slice(0, depth + 1).join("/"));
      return found && found.type !== "directory";
    });
    if (isBlocked) continue;
    if (random(3) === 0) draft.remove(path);
    else draft.place(path, makeNode(random));
  }
  return draft.finish();
}

test("the entries of a tree that is made in steps are those of the whole, and what is hidden is found as well", () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = createRandom(seed);
    let base = EMPTY_TREE;
    for (let step = random(8); step > 0; step -= 1) base = change(base, random);
    let tree = base;
    let entries = diffTrees(base, tree);
    const isHidden = (path: string) => path.endsWith("b") || path === "c/e";
    for (let step = 0; step < 12; step += 1) {
      const before = tree;
      tree = change(before, random);
      entries = extendDiff(entries, base, before, tree);
      expect(entries, `seed ${seed}, step ${step}`).toEqual(diffTrees(base, tree));
      const alone = (path: string) => isHidden(path);
      expect(createSnapshot(tree).hiddenPaths(isHidden)).toEqual(createSnapshot(tree).hiddenPaths(alone));
    }
  }
});

test("what has not changed is neither described nor asked for again", () => {
  const file: TreeNode = { type: "file", mode: 0o644, size: 1, sha256: "1".repeat(64) };
  const add = (tree: TreeDirectory, path: string) => {
    const draft = createTreeDraft(tree);
    draft.place(path, { ...file });
    return draft.finish();
  };
  let before = EMPTY_TREE;
  for (let index = 0; index < 50; index += 1) before = add(before, `file-${index}`);
  const known = diffTrees(EMPTY_TREE, before);
  const requests: string[] = [];
  const isHidden = (path: string) => requests.push(path) > 0 && path === "file-7";
  expect(createSnapshot(before).hiddenPaths(isHidden)).toEqual(["file-7"]);
  requests.length = 0;
  const after = add(before, "file-new");
  const entries = extendDiff(known, EMPTY_TREE, before, after);
  expect(entries.filter((entry) => !known.includes(entry)).map(({ path }) => path)).toEqual(["file-new"]);
  expect(createSnapshot(after).hiddenPaths(isHidden)).toEqual(["file-7"]);
  expect(requests).toEqual(["file-7", "file-new"]);
});
