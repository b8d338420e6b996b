import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type DrydockError, Layer } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { buildLayer, type LayerRules, type RawChange } from "./build-layer.ts";
import { layerChanges } from "./layer-changes.ts";
import { hashNaively, makeDirectory, makeTemporaryDirectory, makeWorkspace, sha256 } from "./layers.fixture.ts";
import { EMPTY_SNAPSHOT, type Snapshot } from "./snapshot.ts";
import { createWorkspaceIndex } from "./workspace-index.ts";

const ALLOW_ALL: LayerRules = { hidden: () => false, protectedPath: () => false, writable: () => true };
const DIRECTORY = { type: "directory", mode: 0o755 } as const;

async function takeSnapshot(directory: string): Promise<Snapshot> {
  const index = createWorkspaceIndex(directory, { watch: false });
  const snapshot = await index.refresh();
  await index.close();
  return snapshot;
}

function file(path: string, content: string, mode = 0o644): RawChange {
  return { path, type: "file", mode, size: content.length, sha256: sha256(content) };
}

function build(snapshot: Snapshot, raw: RawChange[], rules: Partial<LayerRules> = {}, workspace: string | null = "/w") {
  const layer = buildLayer({
    snapshot,
    raw,
    workspace,
    rules: { ...ALLOW_ALL, ...rules },
    changedUnderneath: [],
  });
  expect(Layer.parse(layer)).toEqual(layer);
  return layer;
}

/** src/{a.txt,b.txt,deep/c.txt}, link -> src/a.txt, empty/ */
async function makeSample() {
  const workspace = makeWorkspace();
  for (const path of ["src", "src/deep", "empty"]) makeDirectory(join(workspace, path));
  for (const path of ["src/a.txt", "src/b.txt", "src/deep/c.txt"]) {
    writeFileSync(join(workspace, path), path);
    chmodSync(join(workspace, path), 0o644);
  }
  symlinkSync("src/a.txt", join(workspace, "link"));
  return takeSnapshot(workspace);
}

const brief = (layer: Layer) => layer.entries.map(({ kind, path, type }) => `${kind} ${type} ${path}`);

describe("a layer", () => {
  test("of a run that changed nothing is empty, whatever was copied up", async () => {
    const snapshot = await makeSample();
    const raw: RawChange[] = [
      { path: "src", ...DIRECTORY },
      file("src/a.txt", "src/a.txt"),
      { path: "src/deep", ...DIRECTORY },
      { path: "link", type: "symlink", mode: 0o777, target: "src/a.txt" },
      { path: "never-was", type: "whiteout", mode: 0 },
    ];
    const layer = build(snapshot, raw);
    expect(layer.entries).toEqual([]);
    expect(layer.treeHash).toBe(snapshot.treeHash);
    expect(layer.baseHash).toBe(snapshot.treeHash);
  });

  test("tells what lay below a changed, a deleted and a re-moded path", async () => {
    const layer = build(await makeSample(), [
      file("src/a.txt", "new"),
      { path: "src/b.txt", type: "whiteout", mode: 0 },
      { path: "empty", type: "directory", mode: 0o700 },
      { path: "link", type: "symlink", mode: 0o777, target: "elsewhere" },
    ]);
    const was = { wasType: "file", wasMode: 0o644 };
    const [a, b] = [sha256("src/a.txt"), sha256("src/b.txt")];
    expect(layer.entries).toEqual([
      { path: "empty", kind: "changed", type: "directory", mode: 0o700, wasType: "directory", wasMode: 0o755 },
      {
        path: "link",
        kind: "changed",
        type: "symlink",
        mode: 0o777,
        target: "elsewhere",
        wasType: "symlink",
        wasMode: 0o777,
        wasTarget: "src/a.txt",
      },
      {
        path: "src/a.txt",
        kind: "changed",
        type: "file",
        mode: 0o644,
        size: 3,
        sha256: sha256("new"),
        ...was,
        wasSha256: a,
      },
      { path: "src/b.txt", kind: "deleted", type: "file", mode: 0o644, size: 9, sha256: b, ...was, wasSha256: b },
    ]);
  });

  test("lists every path below a deleted directory", async () => {
    expect(brief(build(await makeSample(), [{ path: "src", type: "whiteout", mode: 0 }]))).toEqual([
      "deleted directory src",
      "deleted file src/a.txt",
      "deleted file src/b.txt",
      "deleted directory src/deep",
      "deleted file src/deep/c.txt",
    ]);
  });

  test("compares a directory that was replaced entirely with the one below, path by path", async () => {
    const raw: RawChange[] = [
      { path: "src", ...DIRECTORY, opaque: true },
      file("src/a.txt", "src/a.txt"),
      file("src/n", "n"),
    ];
    expect(brief(build(await makeSample(), raw))).toEqual([
      "deleted file src/b.txt",
      "deleted directory src/deep",
      "deleted file src/deep/c.txt",
      "added file src/n",
    ]);
  });

  test("names a path that became another type once, with the type it had", async () => {
    const layer = build(await makeSample(), [
      { path: "src/a.txt", type: "symlink", mode: 0o777, target: "b.txt" },
      { path: "src/b.txt", ...DIRECTORY },
      file("src/b.txt/inner", "x"),
      file("src/deep", "a file now"),
    ]);
    expect(brief(layer)).toEqual([
      "changed symlink src/a.txt",
      "changed directory src/b.txt",
      "added file src/b.txt/inner",
      "changed file src/deep",
      "deleted file src/deep/c.txt",
    ]);
    expect(layer.entries.map((entry) => entry.wasType)).toEqual(["file", "file", undefined, "directory", "file"]);
  });

  test("of a run without a workspace starts from the empty tree", () => {
    const layer = build(EMPTY_SNAPSHOT, [file("a/b", "x"), file(".git/config", "x")], {}, null);
    expect(brief(layer)).toEqual(["added directory a", "added file a/b"]);
    expect(layer).toMatchObject({ workspace: null, baseHash: EMPTY_SNAPSHOT.treeHash, denied: [] });
  });

  test("refuses a walk that reports a path out of the layer or a file without content", () => {
    for (const path of ["../x", "/etc/x", "a//b", "a/./b", "", "a\0b"]) {
      expect(() => build(EMPTY_SNAPSHOT, [file(path, "x")])).toThrow(
        expect.objectContaining({ code: "internal" }) as DrydockError,
      );
    }
    expect(() => build(EMPTY_SNAPSHOT, [{ path: "a", type: "file", mode: 0o644, size: 3 }])).toThrow("content hash");
  });
});

describe("denied", () => {
  test("are paths outside the write scope, protected, hidden, special, or of the version store", async () => {
    const raw: RawChange[] = [
      file("src/ok", "x"),
      file("secret.pem", "x"),
      file("locked/x", "x"),
      file("other", "x"),
      { path: "src/pipe", type: "other", mode: 0o644 },
      { path: ".git", ...DIRECTORY },
      file(".git/hooks/pre-commit", "x"),
    ];
    const layer = build(await makeSample(), raw, {
      hidden: (path) => path.endsWith(".pem"),
      protectedPath: (path) => path.startsWith("locked"),
      writable: (path) => path !== "other",
    });
    expect(layer.denied).toEqual([".git/hooks/pre-commit", "locked", "locked/x", "other", "secret.pem", "src/pipe"]);
    expect(layer.entries.map((entry) => entry.path)).not.toContain("src/pipe");
  });

  test("are hidden paths that go with the directory around them", async () => {
    const layer = build(await makeSample(), [{ path: "src", type: "whiteout", mode: 0 }], {
      hidden: (path) => path === "src/deep/c.txt",
    });
    expect(layer.denied).toEqual(["src/deep/c.txt"]);
  });

  test("are not new directories that lead into the write scope, but those that lead nowhere", async () => {
    const writable = (path: string) => path.startsWith("out/deep/");
    const raw: RawChange[] = [
      { path: "out", ...DIRECTORY },
      { path: "out/deep", ...DIRECTORY },
      file("out/deep/x", "x"),
    ];
    expect(build(EMPTY_SNAPSHOT, raw, { writable }).denied).toEqual([]);
    expect(build(EMPTY_SNAPSHOT, raw.slice(0, 2), { writable }).denied).toEqual(["out", "out/deep"]);
  });
});

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

/** Numbers that repeat for a seed, so that a failure can be repeated too. */
function createRandom(seed: number): (below: number) => number {
  let counter = 0;
  return (below) => {
    counter += 1;
    return createHash("sha256").update(`${seed}/${counter}`).digest().readUInt32BE() % below;
  };
}

type Random = ReturnType<typeof createRandom>;
const NAMES = ["a", "b", "B", "c.txt", "é", "z z", "𝒳", "\ue000"];

function editRandomly(directory: string, random: Random, steps: number): void {
  for (let step = 0; step < steps; step += 1) {
    let parent = directory;
    while (random(2) === 0) {
      const folders = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const chosen = folders[random(Math.max(1, folders.length))];
      if (!chosen) break;
      parent = join(parent, chosen.name);
    }
    const path = join(parent, NAMES[random(NAMES.length)] ?? "a");
    const exists = lstatSync(path, { throwIfNoEntry: false });
    const action = random(6);
    if (action === 5 && exists && !exists.isSymbolicLink())
      chmodSync(path, exists.isDirectory() ? 0o700 : 0o600 + random(64));
    else if (action === 4 && exists && parent === directory) renameSync(path, join(directory, `moved${step}`));
    else {
      rmSync(path, { recursive: true, force: true });
      if (action <= 1) writeFileSync(path, `${random(3)}`);
      else if (action === 2) mkdirSync(path);
      else if (action === 3) symlinkSync(`target${random(3)}`, path);
    }
  }
}

/** What an overlay's upper directory would hold, in one of the several forms that the kernel may leave it in. */
function walkUpper(base: string, result: string, random: Random, below = true, prefix = ""): RawChange[] {
  const raw: RawChange[] = [];
  const names = new Set(readdirSync(result));
  if (below) for (const name of readdirSync(base)) names.add(name);
  for (const name of names) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const full = join(result, name);
    const was = below ? lstatSync(join(base, name), { throwIfNoEntry: false }) : undefined;
    const is = lstatSync(full, { throwIfNoEntry: false });
    if (!is) raw.push({ path, type: "whiteout", mode: 0 });
    else if (is.isDirectory()) {
      const opaque = !was?.isDirectory() || random(4) === 0;
      raw.push({ path, type: "directory", mode: is.mode & 0o7777, opaque });
      raw.push(...walkUpper(join(base, name), full, random, !opaque, path));
    } else if (is.isSymbolicLink()) raw.push({ path, type: "symlink", mode: 0o777, target: readlinkSync(full) });
    else {
      const content = readFileSync(full);
      const same = was?.isFile() && was.mode === is.mode && readFileSync(join(base, name)).equals(content);
      if (same && random(2) === 0) continue;
      raw.push({ path, type: "file", mode: is.mode & 0o7777, size: content.length, sha256: sha256(content) });
    }
  }
  return raw;
}

test("whatever a run does, the layer's hash is that of the resulting directory, and its entries lead there", async () => {
  for (let seed = 0; seed < 60; seed += 1) {
    const random = createRandom(seed);
    const directory = makeTemporaryDirectory();
    const [base, result] = [join(directory, "base"), join(directory, "result")];
    mkdirSync(base);
    editRandomly(base, random, 25);
    cpSync(base, result, { recursive: true, verbatimSymlinks: true });
    editRandomly(result, random, 1 + random(20));
    const [before, after] = [await takeSnapshot(base), await takeSnapshot(result)];
    expect(before.treeHash).toBe(hashNaively(base));
    const layer = build(before, walkUpper(base, result, random));
    expect(layer.treeHash, `seed ${seed}`).toBe(hashNaively(result));
    const paths = new Map(before.paths().map((path) => [path, before.lookup(path)]));
    for (const { kind, path, type, mode, size, sha256: content, target } of layer.entries) {
      if (kind === "deleted") paths.delete(path);
      else paths.set(path, JSON.parse(JSON.stringify({ type, mode, size, sha256: content, target })));
      expect(before.lookup(path) === undefined, `seed ${seed}: ${path}`).toBe(kind === "added");
    }
    const expected = new Map(after.paths().map((path) => [path, after.lookup(path)]));
    expect(paths, `seed ${seed}`).toEqual(expected);
  }
});
