import { hash } from "node:crypto";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { expect, it } from "vitest";
import { keepBases } from "./keep-bases.ts";

function change(path: string, was: string, more: Partial<LayerEntry> = {}): LayerEntry {
  const wasSha256 = hash("sha256", was);
  return {
    path,
    kind: "changed",
    type: "file",
    mode: 0o644,
    sha256: "f".repeat(64),
    wasType: "file",
    wasSha256,
    ...more,
  };
}

it("keeps what files were before, where it is text that is still there as the run saw it", async () => {
  const big = "x".repeat(9 * 1024 * 1024);
  const found: Record<string, string> = { a: "a", bin: "\0", since: "changed since", gone: "gone", big, same: "same" };
  const entries = [
    change("a", "a"),
    change("bin", "\0"),
    change("since", "as it was"),
    change("gone", "gone", { kind: "deleted", sha256: hash("sha256", "gone") }),
    change("big", big),
    change("missing", "missing"),
    change("same", "same", { sha256: hash("sha256", "same"), mode: 0o755 }),
    { path: "new", kind: "added", type: "file", mode: 0o644, sha256: "e".repeat(64) } as const,
  ];
  const layer: Layer = {
    version: 1,
    workspace: "/w",
    baseHash: "",
    treeHash: "",
    changedUnderneath: [],
    denied: [],
    entries,
  };
  const kept: string[] = [];
  const readBase = async (path: string) => (found[path] === undefined ? null : Buffer.from(found[path]));
  const putAll = async (contents: readonly Buffer[]) => kept.push(...contents.map(String));
  expect(await keepBases(layer, readBase, { putAll })).toEqual([hash("sha256", "a"), hash("sha256", "gone")]);
  expect(kept).toEqual(["a", "gone"]);
});
