import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

const FILES = { "a.txt": "one\n", "d/x": "x\n" };

describe("a layer that wants out", () => {
  const file = async (path: string): Promise<LayerEntry> => {
    const { sha256, size } = await dock.contents.put(Buffer.from("pwned"));
    return { path, kind: "added", type: "file", mode: 0o644, size, sha256 };
  };
  const link = (path: string, target: string): LayerEntry => ({
    path,
    kind: "added",
    type: "symlink",
    mode: 0o777,
    target,
  });
  const layerWith = async (workspace: string, entries: LayerEntry[]): Promise<Layer> => {
    const workbench = await dock.openBench(workspace);
    return { ...workbench.tree(null).layer, entries };
  };

  test.each(["/etc", "../..", "/work/../tmp", "/proc/self/root", "d"])(
    "by a link to %s and an entry below it is refused",
    async (target) => {
      const workspace = dock.makeWorkspace(FILES);
      const layer = await layerWith(workspace, [link("a", target), await file("a/pwned")]);
      const ran = await dock.python(workspace, layer, "1");
      expect(ran).toMatchObject({ ok: false, error: { code: "input.invalid" } });
    },
  );

  test("by a link of the workspace's own is refused by the warden", async () => {
    const workspace = dock.makeWorkspace({ ...FILES, "elsewhere/keep": "1" });
    for (const [name, target] of Object.entries({ l1: "/tmp", l2: "../..", l3: "d" }))
      symlinkSync(target, join(workspace, name));
    for (const name of ["l1", "l2", "l3"]) {
      const layer = await layerWith(workspace, [await file(`${name}/pwned`)]);
      const ran = await dock.python(workspace, layer, 'import os\nos.path.exists("/tmp/pwned")');
      expect(ran).toMatchObject({ ok: false, error: { code: "sandbox.unavailable" } });
      await expect(dock.unconfined(workspace, layer, "1")).rejects.toMatchObject({ code: "sandbox.unavailable" });
    }
    expect(existsSync("/tmp/pwned")).toBe(false);
    expect(existsSync(join(workspace, "d/pwned"))).toBe(false);
  });

  test.each(["../pwned", "/tmp/pwned", "a/../../pwned", "x//y", ".", "nul\0"])(
    "by the path %j is refused",
    async (path) => {
      const workspace = dock.makeWorkspace(FILES);
      const ran = await dock.python(workspace, await layerWith(workspace, [await file(path)]), "1");
      expect(ran).toMatchObject({ ok: false, error: { code: "input.invalid" } });
    },
  );

  test("by deleting through a link takes nothing away", async () => {
    const workspace = dock.makeWorkspace(FILES);
    symlinkSync("d", join(workspace, "l"));
    const gone: LayerEntry = { path: "l/x", kind: "deleted", type: "file", mode: 0o644, wasType: "file" };
    const ran = await dock.python(workspace, await layerWith(workspace, [gone]), 'open("d/x").read()');
    expect(ran.result ?? ran.error?.code).toBe("x\n");
    expect(readFileSync(join(workspace, "d/x"), "utf8")).toBe("x\n");
  });

  test("whose content is missing, or not whole, does not run", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const entry = await file("n");
    for (const broken of [
      { ...entry, sha256: "0".repeat(64) },
      { ...entry, size: 3 },
      { ...entry, size: 9 },
    ]) {
      const ran = await dock.python(workspace, await layerWith(workspace, [broken]), 'open("ran", "w")');
      expect(ran.ok).toBe(false);
      expect(ran.layer.entries).toEqual([broken]);
    }
  });
});

test("a layer is put in place for whoever runs it, and comes back as it was", async () => {
  const workspace = dock.makeWorkspace(FILES);
  const code = `import os, shutil
shutil.rmtree("d"); open("a.txt", "w").write("2"); os.mkdir("n"); os.symlink("/etc/passwd", "n/out"); os.symlink("n/out", "d")
open("n/f", "w").write("3"); os.chmod("n/f", 0o440); os.chmod("n", 0o500)`;
  const { layer } = await dock.python(workspace, null, code);
  const look =
    "import os\n[open('a.txt').read(), os.readlink('d'), open('n/f').read(), os.stat('n/f').st_uid == os.getuid()]";
  const ran = await dock.python(workspace, layer, look);
  expect(ran.result).toEqual(["2", "n/out", "3", true]);
  expect(ran.layer).toEqual(layer);
});
