import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWorkbench } from "../../../sandbox/index.ts";
import { hashGitTree } from "./hash-git-tree.ts";

const searchPath = process.env.PATH ?? "";
const EVERYTHING = { hidden: () => false, protectedPath: () => false, writable: () => true };
const NOTHING_KEPT = {
  read: () => Promise.reject(new Error("nothing is kept")),
  put: () => Promise.reject(new Error("nothing is kept")),
};

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", env: { PATH: searchPath } }).trim();
}

function makeRepository(files: Record<string, string>, ...options: string[]): string {
  const workspace = mkdtempSync(join(tmpdir(), "drydock-git-tree-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  git(workspace, "init", "-q", ...options);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return workspace;
}

async function hashOf(workspace: string) {
  const workbench = await openWorkbench({ workspace, rules: EVERYTHING, contents: NOTHING_KEPT });
  try {
    return await hashGitTree({ workspace, searchPath }, workbench.tree(null));
  } finally {
    await workbench.close();
  }
}

/** What git itself says, after our answer: it writes into the index. */
async function expectGitsOwn(workspace: string): Promise<void> {
  const ours = await hashOf(workspace);
  git(workspace, "add", "--all");
  expect(ours).toEqual({ kind: "tree", tree: git(workspace, "write-tree") });
}

const FILES = {
  a: "1",
  "a.b": "2",
  "a/": "",
  "d/x": "x",
  "d.txt": "sorted before d/",
  d0: "sorted behind d/",
  'späße "1"': "name",
  "deep/er/still/f": "f",
  ".gitignore": "*.pyc\nout/\n",
  "c.pyc": "ignored",
  "out/file": "ignored",
  ".drydock/policy.yaml": "version: 1\n",
};

it("is git's own name of the tree: modes, links, order, what is ignored and what is not", async () => {
  const { "a/": _, ...files } = FILES;
  const workspace = makeRepository(files);
  chmodSync(join(workspace, "a.b"), 0o755);
  symlinkSync("d/x", join(workspace, "link"));
  mkdirSync(join(workspace, "empty"));
  git(workspace, "add", "--all");
  git(workspace, "add", "--force", "c.pyc");
  git(workspace, "commit", "-q", "-m", "first");
  writeFileSync(join(workspace, "new"), "untracked, and not ignored");
  rmSync(join(workspace, "d0"));
  await expectGitsOwn(workspace);
});

it("is so in a repository with SHA-256, and with attributes that change no byte", async () => {
  await expectGitsOwn(makeRepository({ a: "1\n", "b/c": "2\n" }, "--object-format=sha256"));
  await expectGitsOwn(makeRepository({ ".gitattributes": "* text=auto\n*.bin -text\n", a: "1\n2\n", "x.bin": "\r\n" }));
});

it("is not given where git would store something else", async () => {
  const reasons: [files: Record<string, string>, reason: RegExp, setting?: [string, string]][] = [
    [{ ".gitattributes": "* text=auto\n", a: "1\r\n" }, /other bytes for a/],
    [{ ".gitattributes": "a filter=shout\n", a: "1\n" }, /other bytes for a/],
    [{ a: "1\r\n" }, /other bytes for a/, ["core.autocrlf", "input"]],
    [{ a: "1" }, /core.fileMode is false/, ["core.fileMode", "false"]],
    [{ a: "1", "sub/.git/HEAD": "ref: refs/heads/main\n" }, /repository within it/],
  ];
  for (const [files, reason, setting] of reasons) {
    const workspace = makeRepository(files);
    if (setting) git(workspace, "config", ...setting);
    expect(await hashOf(workspace)).toEqual({ kind: "unknown", reason: expect.stringMatching(reason) });
  }
  const plain = mkdtempSync(join(tmpdir(), "drydock-git-tree-"));
  onTestFinished(() => rmSync(plain, { recursive: true, force: true }));
  expect(await hashOf(plain)).toEqual({ kind: "unknown", reason: "the workspace is not a git working tree" });
});

it("starts nothing that the repository names", async () => {
  const workspace = makeRepository({ ".gitattributes": "a filter=shout diff=shout\n", a: "1\n" });
  const mark = join(workspace, "started");
  const command = `sh -c 'echo started >> ${mark}; cat'`;
  for (const name of ["filter.shout.clean", "filter.shout.process", "core.fsmonitor", "diff.shout.textconv"]) {
    git(workspace, "config", name, command);
  }
  await hashOf(workspace);
  expect(() => readFileSync(mark)).toThrow("ENOENT");
});
