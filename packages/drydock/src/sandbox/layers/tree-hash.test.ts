import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EMPTY_SNAPSHOT } from "./snapshot.ts";
import { hashNaively, makeDirectory, makeWorkspace, sha256 } from "./testing/layers.ts";
import { openIndex } from "./testing/workspace-index.ts";

describe("the tree hash", () => {
  test("is pinned: a change of the format is a new format", async () => {
    const workspace = makeWorkspace();
    makeDirectory(join(workspace, "src"), 0o750);
    writeFileSync(join(workspace, "src/main.py"), "print(1)\n");
    chmodSync(join(workspace, "src/main.py"), 0o755);
    writeFileSync(join(workspace, "é.txt"), "");
    chmodSync(join(workspace, "é.txt"), 0o600);
    symlinkSync("src/main.py", join(workspace, "run"));
    makeDirectory(join(workspace, "empty"));
    const { treeHash } = await openIndex(workspace).refresh();
    expect(treeHash).toBe("97d5b083e27f808c4c9f59e35f27252b80d0f74c06cbedc43d97a8820967523d");
    expect(treeHash).toBe(hashNaively(workspace));
    expect(EMPTY_SNAPSHOT.treeHash).toBe("c0933830b0482e2fe1c13953f703631ae9f39eb57576b93a31e6b895fabb8ab1");
  });

  test("counts content, names, modes, targets and empty directories, and not the root's mode", async () => {
    const workspace = makeWorkspace();
    const index = openIndex(workspace);
    const seen = new Set([(await index.refresh()).treeHash]);
    const path = join(workspace, "a");
    const steps = [
      () => writeFileSync(path, "1"),
      () => writeFileSync(path, "2"),
      () => chmodSync(path, 0o4711),
      () => renameSync(path, join(workspace, "b")),
      () => symlinkSync("x", path),
      () => {
        unlinkSync(path);
        symlinkSync("y", path);
      },
      () => makeDirectory(join(workspace, "d")),
    ];
    for (const step of steps) {
      step();
      seen.add((await index.refresh()).treeHash);
    }
    expect(seen.size).toBe(steps.length + 1);
    const before = (await index.refresh()).treeHash;
    chmodSync(workspace, 0o700);
    expect((await index.refresh()).treeHash).toBe(before);
  });

  test("leaves out .git and .drydock at the top only, and special files", async () => {
    const workspace = makeWorkspace();
    for (const path of [".git", ".drydock", "sub", "sub/.git"]) mkdirSync(join(workspace, path));
    for (const path of [".git/a", ".drydock/a", "sub/.git/a"]) writeFileSync(join(workspace, path), path);
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    const server = createServer().listen(join(workspace, "socket"));
    onTestFinished(() => void server.close());
    const snapshot = await openIndex(workspace).refresh();
    expect(snapshot.paths()).toEqual(["sub", "sub/.git", "sub/.git/a"]);
    expect(snapshot.treeHash).toBe(hashNaively(workspace));
  });

  test("keeps names apart that are no UTF-8, hold newlines or differ in normal form only", async () => {
    const workspace = makeWorkspace();
    const names = [Buffer.from([0xff]), Buffer.from([0xfe]), Buffer.from([0xef, 0xbf, 0xbd]), Buffer.from("a\nb")];
    names.push(Buffer.from("é".normalize("NFC")), Buffer.from("é".normalize("NFD")), Buffer.from([0x80, 0x2e]));
    for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), name]), name);
    const folder = Buffer.concat([Buffer.from(`${workspace}/d`), Buffer.from([0xc0])]);
    mkdirSync(folder);
    symlinkSync(Buffer.from([0xf0, 0x9f]), Buffer.concat([folder, Buffer.from("/link")]));
    const index = openIndex(workspace);
    const snapshot = await index.refresh();
    expect(snapshot.treeHash).toBe(hashNaively(workspace));
    expect(snapshot.lookup("\udcff")?.sha256).toBe(sha256(Buffer.from([0xff])));
    expect(snapshot.lookup("\ufffd")?.sha256).toBe(sha256(Buffer.from([0xef, 0xbf, 0xbd])));
    expect(snapshot.lookup("d\udcc0/link")?.target).toBe("\udcf0\udc9f");
    writeFileSync(Buffer.concat([folder, Buffer.from("/new")]), "seen in a watched directory with such a name");
    expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  });

  test("never follows a symlink: not a loop, not one to a directory, not one that leads out", async () => {
    const workspace = makeWorkspace();
    mkdirSync(join(workspace, "d"));
    symlinkSync("..", join(workspace, "d/up"));
    symlinkSync("self", join(workspace, "self"));
    symlinkSync("/etc", join(workspace, "etc"));
    const snapshot = await openIndex(workspace).refresh();
    expect(snapshot.paths()).toEqual(["d", "d/up", "etc", "self"]);
    expect(snapshot.lookup("etc")).toEqual({ type: "symlink", mode: 0o777, target: "/etc" });
    expect(snapshot.lookup("etc/passwd")).toBeUndefined();
  });

  test("covers a file larger than any buffer", async () => {
    const workspace = makeWorkspace();
    const content = Buffer.alloc(3 * 1024 * 1024 + 17, "drydock");
    writeFileSync(join(workspace, "large"), content);
    expect((await openIndex(workspace).refresh()).lookup("large")?.sha256).toBe(sha256(content));
  });
});
