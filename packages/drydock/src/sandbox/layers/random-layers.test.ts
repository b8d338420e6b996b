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
import { expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import type { RawChange } from "./build-layer.ts";
import { build, takeSnapshot } from "./testing/build-layer.ts";
import { hashNaively, sha256 } from "./testing/layers.ts";

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
