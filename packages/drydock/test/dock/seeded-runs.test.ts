import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Layer, LayerEntry } from "@drydock/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { narrowed, openTreeDock, type TreeDock } from "../testing/tree-dock.ts";

let dock: TreeDock;
beforeAll(async () => {
  dock = await openTreeDock();
});
afterAll(() => dock.close());

const FILES = { "a.txt": "one\n", "b.txt": "b\n", "d/x": "x\n", "d/e/y": "y\n", "keep/z": "z\n", ".env": "SECRET=1" };

/** Everything that a layer can hold. */
const CHANGES = `
import os
open("a.txt", "w").write("changed\\n")
os.rename("b.txt", "renamed.txt")
os.makedirs("new/deep")
open("new/deep/f.py", "w").write("print(1)\\n")
os.chmod("new/deep/f.py", 0o755)
open("new/empty", "w").close()
os.makedirs("hollow")
import shutil; shutil.rmtree("d")
os.symlink("a.txt", "link")
os.symlink("nowhere/at/all", "dangling")
os.symlink("/etc/passwd", "outside")
os.symlink("../../..", "up")
os.chmod("keep", 0o700)
open(b"name-\\xff\\xfe", "w").write("bytes")
open("ümlaut\\n", "w").write("newline")
os.mkdir("closed"); open("closed/in", "w").write("in"); os.chmod("closed/in", 0o444); os.chmod("closed", 0o555)
`;
const LOOK = `
import os, json
found = {}
for directory, names, files in os.walk("."):
    for name in sorted(names + files):
        path = os.path.join(directory, name)
        info = os.lstat(path)
        kind = "l" if os.path.islink(path) else "d" if os.path.isdir(path) else "f"
        text = os.readlink(path) if kind == "l" else open(path).read() if kind == "f" else ""
        found[path.encode("utf-8", "surrogateescape").decode("latin1")] = [kind, oct(info.st_mode & 0o7777), text, info.st_uid == os.getuid()]
result = sorted(found.items())
`;

async function changedLayer(workspace: string): Promise<Layer> {
  const { layer, error } = await dock.python(workspace, null, CHANGES);
  expect(error).toBeNull();
  return layer;
}

describe("a run that starts from a layer", () => {
  test("finds just the tree that was left, owned by itself, and leaves the same layer", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const left = await dock.python(workspace, null, `${CHANGES}\n${LOOK}`);
    const { layer, error, result } = await dock.python(workspace, left.layer, LOOK);
    expect(error).toBeNull();
    expect(result).toEqual(left.result);
    expect(layer).toEqual(left.layer);
    expect(readdirSync(workspace).sort()).toEqual([".env", "a.txt", "b.txt", "d", "keep"]);
  });

  test.each(["bash", "node"] as const)("can be %s", async (language) => {
    const workspace = dock.makeWorkspace(FILES);
    const layer = await changedLayer(workspace);
    const code = language === "bash" ? "cat new/deep/f.py" : 'require("node:fs").readFileSync("new/deep/f.py", "utf8")';
    const ran = await dock.run(workspace, { layer, language, code, timeoutSeconds: 30 });
    expect(ran.error).toBeNull();
    expect(ran.stdout + String(ran.result ?? "")).toContain("print(1)");
    expect(ran.layer).toEqual(layer);
  });

  test("adds to it: what is captured is cumulative, and undoing leaves nothing", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const first = await dock.python(workspace, null, 'open("n1", "w").write("1"); open("a.txt", "w").write("x")');
    const second = await dock.python(
      workspace,
      first.layer,
      'import os; os.remove("n1"); open("n2", "w").write("2"); open("a.txt", "a").write("y")',
    );
    expect(second.layer.entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "changed"],
      ["n2", "added"],
    ]);
    const workbench = await dock.openBench(workspace);
    expect((await workbench.tree(second.layer).read("a.txt"))?.toString()).toBe("xy");
    const third = await dock.python(
      workspace,
      second.layer,
      'import os; os.remove("n2"); open("a.txt", "w").write("one\\n")',
    );
    expect(third.layer).toMatchObject({ entries: [], treeHash: workbench.treeHash });
  });

  test("gives the layer that the same writes give without a run", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const workbench = await dock.openBench(workspace);
    const content = Buffer.from("new\n");
    const tree = await workbench.tree(null).apply([
      { path: "a.txt", content },
      { path: "p/q/r.txt", content },
      { path: "run.sh", content, mode: 0o755 },
      { path: "d", delete: true },
      { path: "keep/z", delete: true },
    ]);
    const code = `import os, shutil
for p in ("a.txt", "p/q/r.txt", "run.sh"):
    os.makedirs(os.path.dirname(p) or ".", exist_ok=True); open(p, "w").write("new\\n")
os.chmod("run.sh", 0o755); shutil.rmtree("d"); os.remove("keep/z")`;
    const ran = await dock.python(workspace, null, code);
    expect(ran.layer).toEqual(tree.layer);
    expect((await dock.python(workspace, tree.layer, "1")).layer).toEqual(tree.layer);
  });

  test("does not see what is hidden, and does not touch what is protected", async () => {
    const workspace = dock.makeWorkspace({ ...FILES, ".git/config": "theirs" });
    const { layer } = await dock.python(workspace, null, 'open("n", "w").write("1")');
    const forged: LayerEntry[] = [".env", ".git/config", ".git/hooks/post-checkout", ".drydock/policy.yaml"].map(
      (path) => ({ ...(layer.entries[0] as LayerEntry), path }),
    );
    const ran = await dock.python(
      workspace,
      { ...layer, entries: [...forged, ...layer.entries] },
      'import os; [os.path.exists(".env"), open(".git/config").read(), os.path.exists(".git/hooks"), os.path.exists(".drydock"), open("n").read()]',
    );
    expect(ran.result).toEqual([false, "theirs", false, false, "1"]);
  });

  test("is judged by what it does itself: the scope does not hold for what was there", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const { layer } = await dock.python(workspace, null, 'open("n", "w").write("1")');
    const scope = { scope: ["d/**"] } as object;
    const inside = await dock.python(workspace, layer, 'open("d/x", "w").write("2")', scope);
    expect(inside).toMatchObject({ error: null, layer: { denied: [] } });
    const outside = await dock.python(workspace, layer, 'open("n", "w").write("2")', scope);
    expect(outside).toMatchObject({ error: { code: "policy.path_denied" }, layer: { denied: ["n"] } });
  });

  test("says so when the directory is not the one the layer was made over", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const { layer } = await dock.python(workspace, null, 'open("n", "w").write("1")');
    writeFileSync(join(workspace, "b.txt"), "theirs\n");
    const ran = await dock.python(workspace, layer, 'open("b.txt").read() + open("n").read()');
    expect(ran).toMatchObject({ result: "theirs\n1", changedUnderneath: ["b.txt"] });
    expect(ran.layer.baseHash).not.toBe(layer.baseHash);
  });

  test.each([false, true])("can be cancelled while the layer is on its way (unconfined: %s)", async (unconfined) => {
    const workspace = dock.makeWorkspace(FILES);
    const layer = await changedLayer(workspace);
    const cancelling = new AbortController();
    const contents = {
      ...dock.contents,
      read: (sha256: string) => {
        cancelling.abort();
        return dock.contents.read(sha256);
      },
    };
    const work = { language: "python", code: "print('ran')" } as const;
    const printed: string[] = [];
    const execution = dock.sandbox.run({
      work,
      workspace,
      policy: dock.policy,
      environment: {},
      signal: cancelling.signal,
      onOutput: (_, bytes) => printed.push(bytes.toString()),
      unconfined,
      base: { layer, contents },
    });
    await expect(execution).rejects.toMatchObject({ code: "run.cancelled" });
    expect(printed).toEqual([]);
  });

  test("runs without a sandbox as well", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const layer = await changedLayer(workspace);
    const ran = await dock.unconfined(workspace, layer, 'import os\nprint(sorted(os.listdir(b".")))');
    expect(ran.error).toBeNull();
    expect(ran.stdout).toContain("name-\\xff\\xfe");
    expect(ran.layer).toEqual(layer);
  });
});

describe("much of it", () => {
  test("5,000 files", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const workbench = await dock.openBench(workspace);
    const writes = Array.from({ length: 5000 }, (_, n) => ({ path: `m/${n % 50}/${n}`, content: Buffer.from(`${n}`) }));
    const { layer } = await workbench.tree(null).apply(writes);
    const ran = await dock.python(workspace, layer, 'import os\nsum(len(f) for _, _, f in os.walk("m"))');
    expect(ran.result).toBe(5000);
    expect(ran.layer.treeHash).toBe(layer.treeHash);
  });

  test("one file of 100 MB, in bounded memory", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const code = 'with open("big", "wb") as f:\n    for n in range(100): f.write(bytes([n]) * (1 << 20))';
    const { layer } = await dock.python(workspace, null, code);
    const ran = await dock.python(workspace, layer, 'f = open("big", "rb"); f.seek(-1, 2); [f.read()[0], f.tell()]');
    expect(ran.result).toEqual([99, 100 << 20]);
    expect(ran.layer).toEqual(layer);
    expect(readdirSync(dock.spool)).toEqual([]);
  });

  test("more than the limit on disk is that limit", async () => {
    const workspace = dock.makeWorkspace(FILES);
    const { layer } = await dock.python(workspace, null, 'open("big", "wb").write(bytes(9 << 20))');
    const run = { layer, language: "python", code: "1", timeoutSeconds: 30 } as const;
    const ran = await dock.run(workspace, run, narrowed(dock.policy, { diskMb: 8 }));
    expect(ran.error).toMatchObject({ code: "limit.disk" });
    const before = await dock.run(workspace, run, narrowed(dock.policy, { diskMb: 10 }));
    expect(before.error).toBeNull();
  });
});
