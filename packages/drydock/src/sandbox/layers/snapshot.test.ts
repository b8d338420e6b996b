import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeWorkspace } from "./testing/layers.ts";
import { openIndex } from "./testing/workspace-index.ts";

describe("a snapshot", () => {
  test("lists children, paths and the topmost hidden ones", async () => {
    const workspace = makeWorkspace();
    for (const path of ["a", "a/.env", "b", "b/c"]) mkdirSync(join(workspace, path));
    for (const path of ["a/.env/x", "a/z", "b/c/.env", ".env", "b.txt"]) writeFileSync(join(workspace, path), "");
    const index = openIndex(workspace);
    let reads = 0;
    const isHidden = (path: string) => {
      reads += 1;
      return path.includes(".env");
    };
    const snapshot = await index.refresh();
    expect(snapshot.children("")).toEqual([".env", "a", "b", "b.txt"]);
    expect(snapshot.children("b.txt")).toBeUndefined();
    expect(snapshot.paths("a")).toEqual(["a/.env", "a/.env/x", "a/z"]);
    expect(snapshot.hiddenPaths(isHidden)).toEqual([".env", "a/.env", "b/c/.env"]);
    reads = 0;
    expect(snapshot.hiddenPaths(isHidden)).toHaveLength(3);
    expect(reads).toBe(0);
    writeFileSync(join(workspace, "a/other.env"), "");
    expect((await index.refresh()).hiddenPaths(isHidden)).toEqual([".env", "a/.env", "a/other.env", "b/c/.env"]);
    expect(reads).toBe(4 + 3);
  });
});
