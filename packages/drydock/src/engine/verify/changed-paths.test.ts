import { createHash } from "node:crypto";
import type { LayerEntry } from "@drydock/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathRules, resolvePolicy } from "../../policy/index.ts";
import { openWorkbench, type TreeContents } from "../../sandbox/index.ts";
import { differing, listChangedPaths } from "./changed-paths.ts";
import { makeDirectory, makeTree } from "./testing/directory-tree.ts";

function createContents(): TreeContents {
  const kept = new Map<string, Buffer>();
  return {
    read: async (sha256) => kept.get(sha256) ?? Promise.reject(new Error("not kept")),
    put: async (bytes) => {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      kept.set(sha256, Buffer.from(bytes));
      return { sha256, size: bytes.length };
    },
  };
}

const text = (content: string) => Buffer.from(content);

describe("what differs between two trees", () => {
  it("is found over different directories", () => {
    const before = makeTree({ "a.txt": "1", "b.txt": "1", "d/e.txt": "1", "f/g.txt": "1", link: ["a.txt"] });
    const after = makeTree({ "a.txt": "2", "c.txt": "1", "d/e.txt": "1", f: "now a file", link: ["b.txt"] });
    expect(listChangedPaths(before, after)).toEqual([
      { path: "a.txt", kind: "changed" },
      { path: "b.txt", kind: "deleted" },
      { path: "c.txt", kind: "added" },
      { path: "f", kind: "changed" },
      { path: "f/g.txt", kind: "deleted" },
      { path: "link", kind: "changed" },
    ]);
    expect(listChangedPaths(before, before)).toEqual([]);
  });

  it("is found between layers over one directory, and what both changed alike is nothing", async () => {
    const workspace = makeDirectory({ "a.txt": "1", "b.txt": "1", "d/e.txt": "1" });
    const policy = resolvePolicy({ home: null, workspace: null }).effective;
    const workbench = await openWorkbench({ workspace, rules: createPathRules(policy), contents: createContents() });
    try {
      const before = await workbench.tree(null).apply([
        { path: "a.txt", content: text("2") },
        { path: "d/e.txt", delete: true },
        { path: "n.txt", content: text("new") },
      ]);
      const after = await before.apply([
        { path: "a.txt", content: text("1") },
        { path: "b.txt", content: text("3") },
        { path: "d/x/y.txt", content: text("deep") },
        { path: "n.txt", delete: true },
      ]);
      expect(listChangedPaths(before, after)).toEqual([
        { path: "a.txt", kind: "changed" },
        { path: "b.txt", kind: "changed" },
        { path: "d/x/y.txt", kind: "added" },
        { path: "n.txt", kind: "deleted" },
      ]);
      expect(listChangedPaths(workbench.tree(null), before).map(({ path }) => path)).toEqual([
        "a.txt",
        "d/e.txt",
        "n.txt",
      ]);
    } finally {
      await workbench.close();
    }
  });
});

it("what layers say differently is found wherever it stands in them", () => {
  const path = fc.constantFrom("a", "b", "c", "d", "e", "f");
  const entry = fc
    .record({ path, mode: fc.constantFrom(0o644, 0o755) })
    .map(
      ({ path, mode }): LayerEntry => ({ path, kind: "added", type: "file", mode, size: 1, sha256: "0".repeat(64) }),
    );
  const entries = fc.uniqueArray(entry, { selector: ({ path }) => path });
  fc.assert(
    fc.property(entries, entries, (before, after) => {
      const modes = (layer: LayerEntry[]) => new Map(layer.map(({ path, mode }) => [path, mode]));
      const [was, is] = [modes(before), modes(after)];
      const wanted = [..."abcdef"].filter((name) => was.get(name) !== is.get(name));
      expect(differing(before, after).sort()).toEqual(wanted);
    }),
    { numRuns: 1000 },
  );
});
