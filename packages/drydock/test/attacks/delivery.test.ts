import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAttackDock } from "../testing/attack-dock.ts";

const attacked = openAttackDock();

async function prepare(code: string, files: Record<string, string> = { "docs/a.md": "a" }) {
  const workspace = attacked.makeWorkspace(files);
  const { runId, ok } = await attacked.attack(`import os, pathlib\n${code}`, { workspace });
  expect(ok).toBe(true);
  return { workspace, runId: String(runId) };
}

const apply = (runId: string, options = {}) => attacked.dock.runs.apply(runId, options);

function git(workspace: string, ...args: string[]): number | null {
  const env = { PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", HOME: attacked.host };
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  return spawnSync("git", [...identity, ...args], { cwd: workspace, env }).status;
}

const plant = (marker: string) => `
d = pathlib.Path("docs"); d.mkdir(exist_ok=True)
(d / "objects").mkdir(); (d / "refs").mkdir(); (d / "HEAD").write_text("ref: refs/heads/main\\n")
(d / "config").write_text("""[core]
repositoryformatversion = 0
bare = false
worktree = .
fsmonitor = "touch '${marker}'; false"
""")`;

describe("what a run leaves behind for whoever works in the directory later", () => {
  it("is no repository whose configuration git runs", async () => {
    const marker = join(attacked.host, "fsmonitor-ran");
    const { workspace, runId } = await prepare(plant(marker));
    await expect(apply(runId)).rejects.toMatchObject({ code: "policy.path_denied" });
    git(workspace, "-C", "docs", "status");
    git(join(workspace, "docs"), "status");
    expect(existsSync(marker)).toBe(false);
    expect(readdirSync(join(workspace, "docs"))).toEqual(["a.md"]);
    // The control: the same directory, made by hand, runs it.
    const trap = attacked.makeWorkspace({
      "docs/HEAD": "ref: refs/heads/main\n",
      "docs/config": `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "touch '${marker}'; false"\n`,
    });
    for (const name of ["objects", "refs"]) mkdirSync(join(trap, "docs", name));
    git(trap, "-C", "docs", "status");
    expect(existsSync(marker)).toBe(true);
  });

  it("is no repository that two runs make together", async () => {
    const { workspace, runId } = await prepare(
      'os.makedirs("docs/refs"); open("docs/HEAD", "w").write("ref: refs/heads/x"); open("docs/config", "w").write("[core]")',
    );
    await apply(runId);
    const second = await attacked.attack('import os; os.makedirs("docs/objects")', { workspace });
    await expect(apply(String(second.runId))).rejects.toMatchObject({ code: "policy.path_denied" });
    expect(existsSync(join(workspace, "docs/objects"))).toBe(false);
  });

  it.each([
    ["a hook in .GIT", 'os.makedirs(".GIT/hooks"); open(".GIT/hooks/post-checkout", "w").write("#!/bin/sh")'],
    ["a .git file below", 'open("docs/.git", "w").write("gitdir: ../evil")'],
    ["a short name", 'os.makedirs("docs/git~1")'],
    ["an invisible character", 'os.makedirs("docs/.g\\u200cit/hooks")'],
    ["a link out", 'os.symlink("../../..", "docs/out")'],
    ["an absolute link", 'os.symlink("/etc/passwd", "passwd")'],
    ["a set-user-ID file", 'open("su", "w").write("x"); os.chmod("su", 0o4755)'],
  ])("is not %s, in the directory or on a branch", async (_what, code) => {
    const { workspace, runId } = await prepare(code);
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-qm", "first"],
    ])
      git(workspace, ...args);
    const before = readdirSync(workspace, { recursive: true }).filter((path) => !String(path).startsWith(".git/"));
    for (const options of [{}, { allowAutorun: true }, { branch: "x" }]) {
      await expect(apply(runId, options)).rejects.toMatchObject({ code: "policy.path_denied" });
    }
    const after = readdirSync(workspace, { recursive: true }).filter((path) => !String(path).startsWith(".git/"));
    expect(after).toEqual(before);
    expect(git(workspace, "rev-parse", "--verify", "-q", "refs/heads/x")).not.toBe(0);
  });

  it("is nothing that others may write", async () => {
    const code =
      'os.umask(0); open("w", "w").write("x"); os.chmod("w", 0o666); os.mkdir("d"); os.chmod("d", 0o7777); open("d/f", "w"); os.chmod("d/f", 0o777)';
    const { workspace, runId } = await prepare(code);
    const { notes } = await apply(runId);
    const modes = ["w", "d", "d/f"].map((path) => statSync(join(workspace, path)).mode & 0o7777);
    expect(modes).toEqual([0o644, 0o755, 0o755]);
    expect(notes).toContain("w has mode 644, not 666: no wider than its directory");
    const events = await attacked.dock.runs.events(runId);
    expect(events.at(-1)?.data).toMatchObject({
      treeHash: null,
      reduced: [{ path: "d" }, { path: "d/f" }, { path: "w" }],
    });
  });

  it("runs by itself only where somebody has agreed to it", async () => {
    const code = 'open(".rvmrc", "w").write("touch x"); open("a.txt", "w").write("a")';
    const { workspace, runId } = await prepare(code);
    const refused = apply(runId);
    await expect(refused).rejects.toMatchObject({
      code: "policy.approval_denied",
      message: expect.stringContaining(".rvmrc (rvm runs it when you enter the directory)"),
      hint: expect.stringContaining(`drydock runs apply ${runId} --allow-autorun`),
      data: { autorun: [{ path: ".rvmrc" }] },
    });
    expect(readdirSync(workspace)).toEqual(["docs"]);
    expect(await apply(runId, { allowAutorun: true })).toMatchObject({ outcome: "applied" });
    expect(readFileSync(join(workspace, ".rvmrc"), "utf8")).toBe("touch x");
    expect((await attacked.dock.runs.events(runId)).at(-1)?.data).toMatchObject({ autorun: [".rvmrc"] });
  });

  it("is a hook only where somebody has agreed, in whatever directory git is told to look", async () => {
    const { workspace, runId } = await prepare(
      'os.makedirs("tools/h"); open("tools/h/pre-push", "w").write("#!/bin/sh")',
    );
    git(workspace, "init", "-q");
    git(workspace, "config", "core.hooksPath", "tools/h");
    await expect(apply(runId)).rejects.toMatchObject({ data: { autorun: [{ path: "tools/h/pre-push" }] } });
  });
});

describe("honest work", () => {
  it("is delivered without a word: links inside, scripts, and names that only look like a repository's", async () => {
    const code = `
os.makedirs("src/objects"); open("src/objects/a.py", "w").write("x"); open("docs/HEAD", "w").write("a heading")
os.makedirs("refs"); open("refs/b.txt", "w").write("x")
os.symlink("docs/a.md", "README"); os.symlink("../docs", "src/docs")
open("run.sh", "w").write("#!/bin/sh"); os.chmod("run.sh", 0o755)
open("Makefile", "w").write("all:"); open("package.json", "w").write('{"scripts":{"test":"node --test"}}')
open(".gitignore", "w").write("*.pyc"); open(".gitattributes", "w").write("* text=auto")`;
    const { workspace, runId } = await prepare(code);
    writeFileSync(join(workspace, "mine.txt"), "mine");
    const { outcome, notes } = await apply(runId);
    expect([outcome, notes]).toEqual(["applied", ["unverified: no check has judged these changes"]]);
    expect(statSync(join(workspace, "run.sh")).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(workspace, "README")).isSymbolicLink()).toBe(true);
  });
});
