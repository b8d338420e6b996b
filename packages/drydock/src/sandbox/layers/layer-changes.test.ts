import { describe, expect, test } from "vitest";
import { layerChanges } from "./layer-changes.ts";
import { build, DIRECTORY, file, makeSample } from "./testing/build-layer.ts";

describe("the short list of changes", () => {
  test("leaves out directories that their files already tell of", async () => {
    const layer = build(await makeSample(), [
      { path: "src", type: "whiteout", mode: 0 },
      { path: "empty", type: "whiteout", mode: 0 },
      { path: "new", ...DIRECTORY },
      { path: "new/hollow", ...DIRECTORY },
    ]);
    expect(layerChanges(layer).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "deleted empty",
      "added new/hollow",
      "deleted src/a.txt",
      "deleted src/b.txt",
      "deleted src/deep/c.txt",
    ]);
  });

  test("says where a moved file came from, and each source is used once", async () => {
    const layer = build(await makeSample(), [
      { path: "src/a.txt", type: "whiteout", mode: 0 },
      file("copy-1", "src/a.txt"),
      file("lib/a.txt", "src/a.txt"),
      file("unrelated", ""),
    ]);
    expect(layerChanges(layer)).toEqual([
      { path: "copy-1", kind: "added" },
      { path: "lib/a.txt", kind: "added", renamedFrom: "src/a.txt" },
      { path: "src/a.txt", kind: "deleted" },
      { path: "unrelated", kind: "added" },
    ]);
  });
});
