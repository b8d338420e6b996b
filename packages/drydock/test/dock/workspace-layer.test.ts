import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";

const test = openTestDock();
const kinds = (run: { changes: { path: string; kind: string }[] }) =>
  Object.fromEntries(run.changes.map(({ path, kind }) => [path, kind]));

/** Everything below a directory, as text that differs when anything does. */
function picture(directory: string): string {
  return execFileSync("bash", [
    "-c",
    'cd "$0" && find . -printf "%P %y %m %s %l\\n" | sort && find . -type f -print0 | sort -z | xargs -0r sha256sum',
    directory,
  ]).toString();
}

/** The run's diff, put on a copy of the directory by git, makes it what the run saw at its end. */
async function applyOnCopy(runId: string, workspace: string): Promise<string> {
  const copy = test.makeWorkspace({});
  cpSync(workspace, copy, { recursive: true, verbatimSymlinks: true });
  const input = await test.dock.runs.diff(runId);
  const checked = spawnSync("git", ["apply", "--check", "-"], { cwd: copy, input });
  expect(checked.stderr.toString()).toBe("");
  expect(spawnSync("git", ["apply", "-"], { cwd: copy, input }).status).toBe(0);
  return copy;
}

describe("a run's layer", () => {
  it("lists what was added, changed, deleted, renamed and re-moded, and the directory stays as it was", async () => {
    const workspace = test.makeWorkspace({
      "keep.txt": "same\n",
      "change.txt": "one\ntwo\nthree\n",
      "delete.txt": "gone\n",
      "old-name.txt": "a file that gets another name\n".repeat(20),
      "script.sh": "echo\n",
      "dir/a.txt": "a\n",
      "dir/sub/b.txt": "b\n",
      "replaced/x.txt": "x\n",
    });
    symlinkSync("keep.txt", join(workspace, "link"));
    const before = picture(workspace);
    const run = await test.bash(
      [
        "echo new > added.txt; mkdir -p deep/er; echo y > deep/er/y.txt",
        "sed -i s/two/TWO/ change.txt; rm delete.txt; mv old-name.txt new-name.txt; chmod 755 script.sh",
        "rm -r dir; rm -r replaced; mkdir replaced; echo z > replaced/z.txt; ln -sfn change.txt link",
        "ln -s /etc/passwd out; touch keep.txt; cat keep.txt > /tmp/k; cp /tmp/k keep.txt",
      ].join("\n"),
      { workspace },
    );
    expect(run.error).toBeNull();
    expect(picture(workspace)).toBe(before);
    expect(kinds(run)).toMatchObject({
      "added.txt": "added",
      "deep/er/y.txt": "added",
      "change.txt": "changed",
      "delete.txt": "deleted",
      "old-name.txt": "deleted",
      "new-name.txt": "added",
      "script.sh": "changed",
      "dir/a.txt": "deleted",
      "dir/sub/b.txt": "deleted",
      "replaced/x.txt": "deleted",
      "replaced/z.txt": "added",
      link: "changed",
      out: "added",
    });
    expect(Object.keys(kinds(run))).not.toContain("keep.txt");
    expect(run.changes.find((change) => change.path === "new-name.txt")?.renamedFrom).toBe("old-name.txt");
    const copy = await applyOnCopy(run.runId, workspace);
    expect(readFileSync(join(copy, "change.txt"), "utf8")).toBe("one\nTWO\nthree\n");
    expect(statSync(join(copy, "script.sh")).mode & 0o111).not.toBe(0);
    expect(readdirSync(join(copy, "replaced"))).toEqual(["z.txt"]);
    expect(readdirSync(copy)).not.toContain("dir");
  });

  it("holds the exact tree: the same changes made outside give the same hash", async () => {
    const files = { "a.txt": "a\n", "b/c.txt": "c\n" };
    const inside = await test.bash("echo more >> a.txt; rm b/c.txt; echo d > b/d.txt; chmod 700 b/d.txt", {
      workspace: test.makeWorkspace(files),
    });
    const outside = test.makeWorkspace(files);
    execFileSync("bash", ["-c", "echo more >> a.txt; rm b/c.txt; echo d > b/d.txt; chmod 700 b/d.txt"], {
      cwd: outside,
    });
    expect((await test.python("1", { workspace: outside })).treeHash).toBe(inside.treeHash);
  });

  it("carries files that are no text, empty, large, linked and strangely named", async () => {
    const workspace = test.makeWorkspace({ "empty.txt": "", "binary.bin": new Uint8Array([0, 1, 254, 255]) });
    const run = await test.python(
      [
        "import os",
        "open('zero', 'w').close()",
        "open('big.bin', 'wb').write(os.urandom(20 << 20))",
        "open('binary.bin', 'ab').write(b'\\xff')",
        "open('empty.txt', 'w').write('now filled')",
        "open('first', 'w').write('one inode'); os.link('first', 'second')",
        "open('ünïcode 日本.txt', 'w').write('u')",
        "open('new\\nline', 'w').write('n')",
        "open(b'not-utf8-\\xff\\xfe', 'wb').write(b'x')",
        "open(' lead\\t\"quote\\\\', 'w').write('q')",
      ].join("\n"),
      { workspace },
    );
    expect(run.error).toBeNull();
    expect(kinds(run)).toEqual({
      zero: "added",
      "big.bin": "added",
      "binary.bin": "changed",
      "empty.txt": "changed",
      first: "added",
      second: "added",
      "ünïcode 日本.txt": "added",
      "new\nline": "added",
      "not-utf8-\udcff\udcfe": "added",
      ' lead\t"quote\\': "added",
    });
    const big = run.artifacts.find((artifact) => artifact.name === "big.bin");
    expect(big?.size).toBe(20 << 20);
    const tail = await test.dock.runs.readArtifact(big?.id ?? "", { start: (20 << 20) - 10 });
    expect(tail.length).toBe(10);
    const diff = await test.dock.runs.diff(run.runId);
    for (const name of ["big.bin", "binary.bin"]) expect(diff).toMatch(new RegExp(`Binary files .*${name} differ`));
  });

  it("names files in its diff so that git finds them, whatever they are called", async () => {
    const workspace = test.makeWorkspace({ "empty.txt": "" });
    const run = await test.python(
      [
        "import os",
        "open('zero', 'w').close()",
        "open('empty.txt', 'w').write('now filled')",
        "open('first', 'w').write('one inode'); os.link('first', 'second')",
        "open('ünïcode 日本.txt', 'w').write('u')",
        "open('new\\nline', 'w').write('n')",
        "open(b'not-utf8-\\xff\\xfe', 'wb').write(b'x')",
        "open(' lead\\t\"quote\\\\', 'w').write('q')",
      ].join("\n"),
      { workspace },
    );
    const copy = await applyOnCopy(run.runId, workspace);
    expect(readdirSync(copy).length).toBe(8);
    const names = readdirSync(copy, { encoding: "buffer" }).map((name) => name.toString("latin1"));
    expect(names).toContain("not-utf8-\xff\xfe");
    expect(readFileSync(join(copy, "second"), "utf8")).toBe("one inode");
  });

  it("can be read again from the ledger", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "1\n" });
    const run = await test.bash("echo 2 >> a.txt", { workspace });
    const captured = (await test.dock.runs.events(run.runId)).find((event) => event.type === "layer.captured");
    expect(captured?.data).toMatchObject({ entries: 1, treeHash: run.treeHash });
    expect(await test.dock.runs.diff(run.runId)).toContain("+2\n");
  });

  it("of a run that failed is kept as well", async () => {
    const workspace = test.makeWorkspace({});
    const run = await test.python("open('half', 'w').write('x')\nraise ValueError", { workspace });
    expect(run).toMatchObject({ ok: false, changes: [{ path: "half", kind: "added" }] });
  });

  it("of a run that was stopped is kept as well", async () => {
    const policy = { limits: { wallSeconds: 1 } };
    const run = await test.bash("echo x > half; sleep 30", { workspace: test.makeWorkspace({}), policy });
    expect(run.error?.code).toBe("limit.timeout");
    expect(kinds(run)).toEqual({ half: "added" });
  });
});

describe("the tree's hash", () => {
  const hashOf = async (files: Record<string, string>, code = "1") =>
    (await test.python(code, { workspace: test.makeWorkspace(files) })).treeHash;

  it("is equal for equal trees, and before and after a run that changes nothing", async () => {
    const workspace = test.makeWorkspace({ "a.txt": "1", "d/b.txt": "2" });
    const first = await test.python("1", { workspace });
    const second = await test.bash("cat a.txt > /dev/null; touch a.txt; ls -R", { workspace });
    expect(second.changes).toEqual([]);
    expect(second.treeHash).toBe(first.treeHash);
    expect(await hashOf({ "d/b.txt": "2", "a.txt": "1" })).toBe(first.treeHash);
  });

  it("differs by content, by path and by mode", async () => {
    const hashes = await Promise.all([
      hashOf({ a: "1" }),
      hashOf({ a: "2" }),
      hashOf({ b: "1" }),
      hashOf({ "d/a": "1" }),
      hashOf({ a: "1" }, "import os; os.chmod('a', 0o755)"),
      hashOf({ a: "1" }, "import os; os.symlink('a', 'b')"),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("follows the directory when its owner changes it between runs", async () => {
    const workspace = test.makeWorkspace({ a: "1" });
    const first = await test.python("open('a').read()", { workspace });
    execFileSync("bash", ["-c", "echo -n 2 > a; mkdir -p n/m; echo x > n/m/o"], { cwd: workspace });
    const second = await test.python("open('a').read() + open('n/m/o').read()", { workspace });
    expect([first.result, second.result]).toEqual(["1", "2x\n"]);
    expect(second.treeHash).not.toBe(first.treeHash);
    expect(second.changes).toEqual([]);
  });
});
