import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../base/testing/temporary-directory.ts";
import { hashNaively, makeWorkspace } from "./testing/layers.ts";
import { openCountingIndex, pastRacyWindow } from "./testing/workspace-index.ts";
import { createWorkspaceIndex } from "./workspace-index.ts";

describe("the hashes kept between processes", () => {
  async function prepare() {
    const workspace = makeWorkspace();
    const cacheFile = join(makeTemporaryDirectory(), "home/index.cache");
    mkdirSync(join(workspace, "d"));
    for (let number = 0; number < 20; number += 1) writeFileSync(join(workspace, "d", `f${number}`), `${number}`);
    writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff])]), "odd name");
    await pastRacyWindow();
    const first = createWorkspaceIndex(workspace, { cacheFile });
    const { treeHash } = await first.refresh();
    await first.close();
    return { workspace, cacheFile, treeHash };
  }

  test("make the first scan of a new process a look at each file, no more", async () => {
    const { workspace, cacheFile, treeHash } = await prepare();
    writeFileSync(join(workspace, "d/f3"), "changed while nobody watched");
    const { refresh } = openCountingIndex(workspace, { cacheFile });
    const { snapshot, hashed } = await refresh();
    expect(hashed).toBe(1);
    expect(snapshot.treeHash).toBe(hashNaively(workspace));
    expect(snapshot.treeHash).not.toBe(treeHash);
  });

  test.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["altered", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([~(bytes.at(-1) ?? 0)])])],
    ["something else", () => Buffer.from("{}")],
  ])("are ignored and made anew when the file is %s", async (_name, damage) => {
    const { workspace, cacheFile, treeHash } = await prepare();
    writeFileSync(cacheFile, damage(readFileSync(cacheFile)));
    const { index, refresh } = openCountingIndex(workspace, { cacheFile });
    expect(await refresh()).toMatchObject({ hashed: 21, snapshot: { treeHash } });
    await index.close();
    expect(await openCountingIndex(workspace, { cacheFile }).refresh()).toMatchObject({ hashed: 0 });
  });

  test("do not include a file that was still being written", async () => {
    const { workspace, cacheFile } = await prepare();
    const file = join(workspace, "d/f0");
    const writer = createWorkspaceIndex(workspace, { cacheFile });
    // On a busy machine a look may come too late to find the file fresh.
    for (let sinceMs = Number.POSITIVE_INFINITY; sinceMs >= 20; ) {
      const writtenAt = Date.now();
      writeFileSync(file, `A${writtenAt}`);
      await writer.refresh();
      sinceMs = Date.now() - writtenAt;
    }
    await writer.close();
    const { refresh } = openCountingIndex(workspace, { cacheFile });
    expect((await refresh()).hashed).toBe(1);
  });

  test("can't be written in a home that is no directory, and nothing else suffers", async () => {
    const workspace = makeWorkspace();
    writeFileSync(join(workspace, "a"), "1");
    const blocked = join(makeTemporaryDirectory(), "file");
    writeFileSync(blocked, "");
    const index = createWorkspaceIndex(workspace, { cacheFile: join(blocked, "cache") });
    expect((await index.refresh()).filesCount).toBe(1);
    await index.close();
    expect(existsSync(join(blocked, "cache"))).toBe(false);
    expect(statSync(blocked).isFile()).toBe(true);
  });
});
