import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DrydockError } from "@drydock/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { hashNaively, makeDirectory, makeTemporaryDirectory, makeWorkspace, sha256 } from "./layers.fixture.ts";
import type { ScanProgress } from "./scan-directory.ts";
import { EMPTY_SNAPSHOT } from "./snapshot.ts";
import { createWorkspaceIndex, type WorkspaceIndexOptions } from "./workspace-index.ts";

function openIndex(workspace: string, options: WorkspaceIndexOptions = {}) {
  const index = createWorkspaceIndex(workspace, options);
  onTestFinished(() => index.close());
  return index;
}

/** Like `openIndex`, and counts the files whose content was read. */
function openCountingIndex(workspace: string, options: WorkspaceIndexOptions = {}) {
  let last: ScanProgress = { scanned: 0, hashed: 0 };
  const index = openIndex(workspace, {
    ...options,
    onProgress: (progress) => {
      last = progress;
    },
  });
  const refresh = async () => {
    last = { scanned: 0, hashed: 0 };
    const snapshot = await index.refresh();
    return { snapshot, ...last };
  };
  return { index, refresh };
}

/** Files written just now are hashed again on purpose; most tests want them past that. */
const pastRacyWindow = () => sleep(60);

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

describe.each([
  { watch: true, name: "with watches" },
  { watch: false, name: "without watches" },
])("a refresh $name", ({ watch }) => {
  test("sees every kind of change at once after it was made", async () => {
    const workspace = makeWorkspace();
    const at = (path: string) => join(workspace, path);
    const index = openIndex(workspace, { watch });
    await index.refresh();
    expect(index.watched).toBe(watch);
    const steps = [
      () => writeFileSync(at("a"), "1"),
      () => writeFileSync(at("a"), "2"),
      () => appendFileSync(at("a"), "3"),
      () => mkdirSync(at("d/e/f"), { recursive: true }),
      () => writeFileSync(at("d/e/f/x"), "deep"),
      () => renameSync(at("d/e"), at("moved")),
      () => writeFileSync(at("moved/f/x"), "in a directory that moved"),
      () => chmodSync(at("moved/f"), 0o700),
      () => {
        rmSync(at("a"));
        mkdirSync(at("a"));
        writeFileSync(at("a/y"), "file became directory");
      },
      () => {
        rmSync(at("a"), { recursive: true });
        symlinkSync("d", at("a"));
      },
      () => {
        rmdirSync(at("d"));
        mkdirSync(at("d"));
        writeFileSync(at("d/z"), "perhaps the same inode");
      },
      () => writeFileSync(at("d/z"), "still watched"),
      () => {
        renameSync(at("d"), at("tmp"));
        renameSync(at("moved"), at("d"));
        renameSync(at("tmp"), at("moved"));
      },
      () => writeFileSync(at("d/f/x"), "swapped"),
      () => rmSync(at("moved"), { recursive: true }),
    ];
    for (const [number, step] of steps.entries()) {
      step();
      expect((await index.refresh()).treeHash, `step ${number}`).toBe(hashNaively(workspace));
    }
  });

  test("finds a change that leaves size and time stamps as they were a moment before", async () => {
    const workspace = makeWorkspace();
    const file = join(workspace, "a");
    const index = openIndex(workspace, { watch });
    for (let round = 0; round < 50; round += 1) {
      writeFileSync(file, `round ${String(round).padStart(4, "0")}`);
      utimesSync(file, 1_000_000, 1_000_000);
      expect((await index.refresh()).lookup("a")?.sha256).toBe(sha256(readFileSync(file)));
    }
  });

  test("reads nothing again that did not change", async () => {
    const workspace = makeWorkspace();
    for (let number = 0; number < 50; number += 1) writeFileSync(join(workspace, `f${number}`), `${number}`);
    await pastRacyWindow();
    const { refresh } = openCountingIndex(workspace, { watch });
    expect(await refresh()).toMatchObject({ hashed: 50 });
    expect(await refresh()).toMatchObject({ hashed: 0, scanned: watch ? 0 : 50 });
    writeFileSync(join(workspace, "f7"), "other");
    expect(await refresh()).toMatchObject({ hashed: 1, scanned: 50 });
  });

  test("hands out the same snapshot while nothing changed, and older ones stay as they were", async () => {
    const workspace = makeWorkspace();
    writeFileSync(join(workspace, "a"), "1");
    const index = openIndex(workspace, { watch });
    const first = await index.refresh();
    expect(await index.refresh()).toBe(first);
    writeFileSync(join(workspace, "a"), "2");
    const second = await index.refresh();
    expect(first.lookup("a")?.sha256).toBe(sha256("1"));
    expect(second.lookup("a")?.sha256).toBe(sha256("2"));
  });

  test("says that the directory is gone, and works again when it is back", async () => {
    const workspace = makeWorkspace();
    const index = openIndex(workspace, { watch });
    await index.refresh();
    rmSync(workspace, { recursive: true });
    const error = await index.refresh().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DrydockError);
    expect(error).toMatchObject({ code: "input.invalid", data: { path: workspace } });
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a"), "back");
    expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  });

  test("survives files and directories that come and go while it scans", async () => {
    const workspace = makeWorkspace();
    for (let number = 0; number < 400; number += 1) writeFileSync(join(workspace, `f${number}`), `${number}`);
    const script = `import os,shutil
for i in range(400):
  d=f"d{i%7}"; os.makedirs(d+"/e",exist_ok=True); open(d+"/e/x","w").write(str(i)); os.remove(f"f{i}"); shutil.rmtree(d)`;
    const index = openIndex(workspace, { watch });
    const churn = spawn("python3", ["-c", script], { cwd: workspace, stdio: "inherit" });
    const ended = new Promise<number | null>((resolve) => churn.on("exit", resolve));
    let running = true;
    void ended.then(() => {
      running = false;
    });
    while (running) await index.refresh({ full: true });
    expect(await ended).toBe(0);
    expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  });

  test("tells which paths somebody changed in between, and not those only touched", async () => {
    const workspace = makeWorkspace();
    for (const name of ["same", "touched", "edited", "removed"]) writeFileSync(join(workspace, name), name);
    mkdirSync(join(workspace, ".git"));
    const index = openIndex(workspace, { watch });
    await index.refresh();
    const quiet = index.watchChanges();
    expect(await quiet.stop()).toEqual([]);
    const changes = index.watchChanges();
    utimesSync(join(workspace, "touched"), 1, 1);
    writeFileSync(join(workspace, "same"), "same");
    writeFileSync(join(workspace, "edited"), "now");
    writeFileSync(join(workspace, ".git/index"), "x");
    writeFileSync(join(workspace, "added"), "x");
    rmSync(join(workspace, "removed"));
    expect(await changes.stop()).toEqual(["added", "edited", "removed"]);
  });

  test("stops when asked to, and the next one is complete", async () => {
    const workspace = makeWorkspace();
    for (let number = 0; number < 1000; number += 1) writeFileSync(join(workspace, `f${number}`), `${number}`);
    const controller = new AbortController();
    const index = openIndex(workspace, { watch, onProgress: () => controller.abort(new Error("enough")) });
    await expect(index.refresh({ signal: controller.signal })).rejects.toThrow("enough");
    expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  });
});

test("what may not be read is in the tree without its content, until it may", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace, "shut"));
  writeFileSync(join(workspace, "shut/inner"), "x");
  writeFileSync(join(workspace, "secret"), "x");
  writeFileSync(join(workspace, "plain"), "x");
  chmodSync(join(workspace, "shut"), 0);
  chmodSync(join(workspace, "secret"), 0);
  chmodSync(dirname(workspace), 0o755);
  // Root may read everything, so somebody else looks.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const script = `
    import { createWorkspaceIndex } from ${JSON.stringify(new URL("./workspace-index.ts", import.meta.url).href)};
    const index = createWorkspaceIndex(${JSON.stringify(workspace)});
    const look = async () => {
      const snapshot = await index.refresh();
      console.log(JSON.stringify(snapshot.paths().map((path) => [path, snapshot.lookup(path).sha256 ?? null])));
    };
    await look();
    process.stdin.once("data", () => look().then(() => index.close()).then(() => process.exit()));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { ...user, stdio: "pipe", cwd: "/" });
  const lines: string[] = [];
  child.stderr.on("data", (data: Buffer) => lines.push(String(data)));
  child.stdout.on("data", (data: Buffer) => {
    lines.push(String(data));
    if (lines.length > 1) return;
    chmodSync(join(workspace, "shut"), 0o755);
    chmodSync(join(workspace, "secret"), 0o644);
    child.stdin.write("again");
  });
  await new Promise((resolve) => child.on("close", resolve));
  const content = sha256("x");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    [
      ["plain", content],
      ["secret", null],
      ["shut", null],
    ],
    [
      ["plain", content],
      ["secret", content],
      ["shut", null],
      ["shut/inner", content],
    ],
  ]);
});

/** A user namespace of our own, where the number of watches can be set without touching anybody else's. */
const FEW_WATCHES = "echo 3 > /proc/sys/user/max_inotify_watches";
const canLimitWatches = spawnSync("unshare", ["-Ur", "sh", "-c", FEW_WATCHES]).status === 0;

test.skipIf(!canLimitWatches)("when the kernel has no more watches to give, every refresh looks at everything", () => {
  const workspace = makeWorkspace();
  for (let number = 0; number < 10; number += 1) mkdirSync(join(workspace, `d${number}`));
  const script = `
    import { writeFileSync } from "node:fs";
    import { createWorkspaceIndex } from ${JSON.stringify(new URL("./workspace-index.ts", import.meta.url).href)};
    const index = createWorkspaceIndex(${JSON.stringify(workspace)});
    await index.refresh();
    writeFileSync(${JSON.stringify(join(workspace, "d9/new"))}, "x");
    console.log(JSON.stringify({ watched: index.watched, found: (await index.refresh()).filesCount }));
    await index.close();`;
  const command = `${FEW_WATCHES} && exec "$0" --input-type=module -e "$1"`;
  const output = execFileSync("unshare", ["-Ur", "sh", "-c", command, process.execPath, script], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ watched: false, found: 1 });
});

test("a write that no watch reports is found by a full refresh", async () => {
  const workspace = makeWorkspace();
  const elsewhere = join(makeTemporaryDirectory(), "link");
  writeFileSync(join(workspace, "a"), "1");
  execFileSync("ln", [join(workspace, "a"), elsewhere]);
  const index = openIndex(workspace);
  await index.refresh();
  writeFileSync(elsewhere, "2");
  expect((await index.refresh({ full: true })).treeHash).toBe(hashNaively(workspace));
});

test("more events at once than the kernel keeps lead to a look at everything", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace, "a"));
  mkdirSync(join(workspace, "z"));
  const index = openIndex(workspace);
  await index.refresh();
  // One blocked turn: the queue overflows with the events of one directory before the other one's arrives.
  const script = `import os
for name in "01": open("a/"+name, "w").close()
for i in range(40000): os.chmod("a/"+"01"[i % 2], 0o600)
open("z/late", "w").write("x")`;
  execFileSync("python3", ["-c", script], { cwd: workspace });
  expect((await index.refresh()).paths()).toEqual(["a", "a/0", "a/1", "z", "z/late"]);
});

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
    [
      "altered",
      (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(/[0-9a-f]{64}"/, `${"0".repeat(64)}"`)),
    ],
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
    writeFileSync(file, "A");
    await writer.refresh();
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

describe("a snapshot", () => {
  test("lists children, paths and the topmost hidden ones", async () => {
    const workspace = makeWorkspace();
    for (const path of ["a", "a/.env", "b", "b/c"]) mkdirSync(join(workspace, path));
    for (const path of ["a/.env/x", "a/z", "b/c/.env", ".env", "b.txt"]) writeFileSync(join(workspace, path), "");
    const index = openIndex(workspace);
    let asked = 0;
    const isHidden = (path: string) => {
      asked += 1;
      return path.includes(".env");
    };
    const snapshot = await index.refresh();
    expect(snapshot.children("")).toEqual([".env", "a", "b", "b.txt"]);
    expect(snapshot.children("b.txt")).toBeUndefined();
    expect(snapshot.paths("a")).toEqual(["a/.env", "a/.env/x", "a/z"]);
    expect(snapshot.hiddenPaths(isHidden)).toEqual([".env", "a/.env", "b/c/.env"]);
    asked = 0;
    expect(snapshot.hiddenPaths(isHidden)).toHaveLength(3);
    expect(asked).toBe(0);
    writeFileSync(join(workspace, "a/other.env"), "");
    expect((await index.refresh()).hiddenPaths(isHidden)).toEqual([".env", "a/.env", "a/other.env", "b/c/.env"]);
    expect(asked).toBe(4 + 3);
  });
});

test("20,000 files are indexed, and one change among them is found", async () => {
  const workspace = makeWorkspace();
  for (let directory = 0; directory < 100; directory += 1) {
    mkdirSync(join(workspace, `d${directory}`));
    for (let file = 0; file < 200; file += 1) writeFileSync(join(workspace, `d${directory}/f${file}`), `${file}`);
  }
  const { refresh } = openCountingIndex(workspace);
  expect((await refresh()).snapshot.filesCount).toBe(20_000);
  writeFileSync(join(workspace, "d50/f3"), "changed");
  const { snapshot, scanned } = await refresh();
  expect(scanned).toBe(200);
  expect(snapshot.treeHash).toBe(hashNaively(workspace));
});
