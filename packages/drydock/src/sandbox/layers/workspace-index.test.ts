import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import { describe, expect, test } from "vitest";
import { hashNaively, makeWorkspace, sha256 } from "./testing/layers.ts";
import { openCountingIndex, openIndex, pastRacyWindow } from "./testing/workspace-index.ts";

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
    const index = openIndex(workspace, { watch });
    const onProgress = () => controller.abort(new Error("enough"));
    const stopped = index.refresh({ signal: controller.signal, onProgress });
    await expect(stopped).rejects.toThrow("enough");
    expect((await index.refresh()).treeHash).toBe(hashNaively(workspace));
  });

  test("stops in the middle of a large file", async () => {
    const workspace = makeWorkspace();
    // Nothing is written to the disk, and there is no end to it in a test's time.
    writeFileSync(join(workspace, "huge"), "");
    truncateSync(join(workspace, "huge"), 1024 ** 4);
    const controller = new AbortController();
    const index = openIndex(workspace, { watch });
    const stopped = index.refresh({ signal: controller.signal });
    const waiting = index.refresh({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(stopped).rejects.toThrow("enough");
    await expect(waiting).rejects.toThrow("enough");
    rmSync(join(workspace, "huge"));
    expect((await index.refresh()).paths()).toEqual([]);
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

test("directories that nobody can go down are refused by their path", async () => {
  const workspace = makeWorkspace();
  // Deeper than one path can name: each part is made from where the last one ended.
  execFileSync("python3", ["-c", "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"], { cwd: workspace });
  await expect(openIndex(workspace).refresh()).rejects.toMatchObject({ code: "input.invalid" });
  execFileSync("rm", ["-r", join(workspace, "d")]);
  execFileSync("python3", ["-c", "import os\nfor _ in range(450): os.mkdir('d'); os.chdir('d')"], { cwd: workspace });
  expect((await openIndex(workspace).refresh()).paths()).toHaveLength(450);
});

const isApart = statSync("/dev").dev !== statSync("/dev/shm").dev;
test.skipIf(!isApart)("other file systems below a workspace are no part of it", async () => {
  const name = `drydock-${process.pid}`;
  writeFileSync(`/dev/shm/${name}`, "x");
  try {
    const snapshot = await openIndex("/dev", { watch: false }).refresh();
    expect(snapshot.lookup("shm")).toMatchObject({ type: "directory" });
    expect(snapshot.paths("shm").filter((path) => path.startsWith("shm/"))).toEqual([]);
  } finally {
    rmSync(`/dev/shm/${name}`);
  }
});

test.each(["/proc", "/sys"])("%s is no workspace", async (directory) => {
  await expect(openIndex(directory).refresh()).rejects.toMatchObject({ code: "input.invalid" });
});
