import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { hashNaively } from "../layers/testing/layers.ts";
import { openBench, text } from "./testing/workbench.ts";
import type { TreeWrite } from "./worktree.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "c", "é"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join("/"));
const write: fc.Arbitrary<TreeWrite> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path, content: fc.constantFrom("", "1", "2").map(text) }) },
  { weight: 1, arbitrary: fc.record({ path, content: fc.constant(text("x")), mode: fc.constantFrom(0o600, 0o755) }) },
  { weight: 2, arbitrary: path.map((gone) => ({ path: gone, delete: true as const })) },
);

/** What the write would be on disk; false where the disk can't do it either. */
function writeToDisk(root: string, wanted: TreeWrite): boolean {
  const place = join(root, wanted.path);
  try {
    if ("delete" in wanted) rmSync(place, { recursive: true });
    else {
      mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
      writeFileSync(place, wanted.content, { mode: 0o644 });
      if (wanted.mode !== undefined) chmodSync(place, wanted.mode);
    }
    return true;
  } catch {
    return false;
  }
}

test("whatever is written, the tree is the one that the disk would hold, and its layer leads there", async () => {
  const { workbench, workspace } = await openBench({ a: "1", "b/a": "1", "b/c/a": "2", "c/b/a": "x" });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
      const copy = join(makeTemporaryDirectory(), "copy");
      cpSync(workspace, copy, { recursive: true });
      let tree = workbench.tree(null);
      for (const wanted of writes) {
        const next = await tree.apply([wanted]).catch(() => null);
        expect(writeToDisk(copy, wanted)).toBe(next !== null);
        tree = next ?? tree;
      }
      expect(tree.treeHash).toBe(hashNaively(copy));
      expect(workbench.tree(tree.layer).treeHash).toBe(tree.treeHash);
    }),
    { numRuns: 60 },
  );
});
