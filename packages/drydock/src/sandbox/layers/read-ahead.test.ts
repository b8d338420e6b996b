import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDirectoryState } from "./directory-state.ts";
import { createReadAhead } from "./read-ahead.ts";
import { hashNaively, makeWorkspace, sha256 } from "./testing/layers.ts";
import { openIndex } from "./testing/workspace-index.ts";

const stat = { ino: 1, dev: 1, mode: 0o755 };

test("a thread tells of the small files of a directory, and of nothing else", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace, "a"));
  mkdirSync(join(workspace, "a", "directory"));
  writeFileSync(join(workspace, "a", "small.txt"), "small");
  chmodSync(join(workspace, "a", "small.txt"), 0o640);
  writeFileSync(join(workspace, "a", "large.bin"), Buffer.alloc(20_000));
  symlinkSync("small.txt", join(workspace, "a", "link"));
  const ahead = createReadAhead(workspace, 1);
  try {
    const states = ["a", "gone"].map((path) => createDirectoryState(path, undefined, stat));
    ahead.give(states);
    while (ahead.pending > 0) await ahead.wait();
    const read = ahead.take();
    expect(read.map(({ state }) => state)).toEqual(states);
    expect([...(read[0]?.files.keys() ?? [])]).toEqual(["small.txt"]);
    expect(read[0]?.files.get("small.txt")).toMatchObject({ sha256: sha256("small"), stat: { mode: 0o640, size: 5 } });
    expect(read[1]?.files.size).toBe(0);
  } finally {
    ahead.close();
  }
});

test("what no thread can read comes back unread", async () => {
  const ahead = createReadAhead(makeWorkspace(), 0);
  expect(ahead.hasRoom).toBe(false);
  const state = createDirectoryState("a", undefined, stat);
  ahead.give([state]);
  await ahead.wait();
  expect(ahead.take()).toEqual([{ state, files: new Map() }]);
  expect(ahead.pending).toBe(0);
});

test("a tree that several threads read has the hash of its files, and later changes are seen", async () => {
  const workspace = makeWorkspace();
  for (let outer = 0; outer < 30; outer += 1) {
    for (const directory of [`d${outer}`, `d${outer}/é${outer}`]) {
      mkdirSync(join(workspace, directory));
      for (let file = 0; file < 60; file += 1)
        writeFileSync(join(workspace, directory, `f${file}`), `${outer} ${file}`);
    }
    writeFileSync(join(workspace, `d${outer}`, "large"), Buffer.alloc(20_000, outer));
    writeFileSync(Buffer.concat([Buffer.from(join(workspace, `d${outer}/`)), Buffer.from([0xff, 0x41])]), "latin");
    symlinkSync(`f${outer}`, join(workspace, `d${outer}`, "link"));
    chmodSync(join(workspace, `d${outer}`, "f1"), 0o755);
  }
  const index = openIndex(workspace);
  expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  for (const path of ["d0/f0", "d15/f1", "d29/é29/f59"]) writeFileSync(join(workspace, path), "changed");
  expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  writeFileSync(join(workspace, "d7/f7"), "7 8"); // as long as before
  expect((await index.refresh({ full: true })).treeHash).toBe(hashNaively(workspace));
});
