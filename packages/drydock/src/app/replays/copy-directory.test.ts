import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { expect, it } from "vitest";
import { useTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { writeFiles } from "../../base/testing/write-files.ts";
import { copyDirectory } from "./copy-directory.ts";

const directory = useTemporaryDirectory();
const contents = { read: async (sha256: string) => Buffer.from(`content of ${sha256}`) };

function layerOf(entries: Partial<LayerEntry>[]): Layer {
  const whole = entries.map((entry) => ({ kind: "added", type: "file", mode: 0o644, ...entry }) as LayerEntry);
  const hashes = { baseHash: "", treeHash: "", changedUnderneath: [], denied: [] };
  return { version: 1, workspace: null, entries: whole, ...hashes };
}

it("puts a layer on the copy, and leaves the directory alone", async () => {
  const from = join(directory, "one");
  writeFiles(from, { "a.txt": "a", "gone/b.txt": "b", link: "no link yet" });
  const layer = layerOf([
    { path: "a.txt", kind: "changed", wasType: "file", sha256: "1" },
    { path: "gone", kind: "deleted", type: "directory" },
    { path: "gone/b.txt", kind: "deleted" },
    { path: "link", kind: "changed", type: "symlink", wasType: "file", target: "a.txt" },
    { path: "new", type: "directory", mode: 0o755 },
    { path: "new/c.txt", sha256: "2" },
  ]);
  const copy = await copyDirectory(from, directory, { layer, contents });
  const read = (path: string) => readFileSync(join(copy.path, path), "utf8");
  expect([read("a.txt"), read("link"), read("new/c.txt")]).toEqual(["content of 1", "content of 1", "content of 2"]);
  expect(existsSync(join(copy.path, "gone"))).toBe(false);
  expect(readFileSync(join(from, "a.txt"), "utf8")).toBe("a");
  await copy.remove();
  expect(existsSync(copy.path)).toBe(false);
});

it.each(["../out.txt", "a/../../out.txt", "/out.txt", "link/out.txt", ".git/config"])(
  "an altered layer does not write outside of the copy: %s",
  async (path) => {
    const from = join(directory, `two-${path.replaceAll(/\W/g, "-")}`);
    writeFiles(from, { "a/b.txt": "b" });
    symlinkSync(directory, join(from, "link"));
    const layer = layerOf([{ path, sha256: "1" }]);
    await expect(copyDirectory(from, directory, { layer, contents })).rejects.toMatchObject({ code: "input.invalid" });
    expect(existsSync(join(directory, "out.txt"))).toBe(false);
  },
);
