import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DeliveryFixture, prepareDelivery, RULES } from "../testing/delivery-fixture.ts";
import { type Picture, paint, readTree } from "../testing/trees.ts";
import { type CommitOptions, commitLayer } from "./commit-layer.ts";
import { removeBranch } from "./remove-branch.ts";

const searchPath = process.env.PATH ?? "";

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", env: { PATH: searchPath } }).trim();
}

function prepareRepository(before: Picture, after: Picture): DeliveryFixture {
  const fixture = prepareDelivery(before, after);
  git(fixture.workspace, "init", "-q", "-b", "main");
  git(fixture.workspace, "add", "-A");
  git(fixture.workspace, "commit", "-q", "-m", "first");
  return fixture;
}

function commit({ workspace, layer, contents }: DeliveryFixture, more: Partial<CommitOptions> = {}) {
  const reply = { id: "run_1", date: new Date(1_700_000_000_000), message: "Fix add()" };
  return commitLayer({
    workspace,
    searchPath,
    layer,
    contents,
    rules: RULES,
    branch: "drydock/fix",
    ...reply,
    ...more,
  });
}

describe("a delivery to a branch", () => {
  it("commits the layer on top of HEAD and leaves the working tree and the index alone", async () => {
    const fixture = prepareRepository(
      { a: "1", "d/x": "x", "tool.sh": "#!", l: { link: "a" }, f: "f", ".gitignore": "*.pyc\n" },
      {
        ...{
          a: "2",
          d: "now a file",
          "tool.sh": { text: "#!", mode: 0o755 },
          l: { link: "f" },
          ".gitignore": "*.pyc\n",
        },
        ...{ "f/g": "now a directory", 'späße "1"': "name", "c.pyc": "ignored" },
      },
    );
    const { workspace } = fixture;
    writeFileSync(join(workspace, "unrelated"), "staged");
    git(workspace, "add", "unrelated");
    const before = [
      readTree(workspace).filter((line) => !line.startsWith(".git")),
      git(workspace, "status", "--porcelain"),
    ];
    const outcome = await commit(fixture);
    expect(outcome).toMatchObject({ kind: "committed", ignored: ["c.pyc"] });
    expect([
      readTree(workspace).filter((line) => !line.startsWith(".git")),
      git(workspace, "status", "--porcelain"),
    ]).toEqual(before);
    expect(
      git(workspace, "-c", "core.quotePath=false", "ls-tree", "-r", "drydock/fix")
        .split("\n")
        .map((line) => line.replace(/ blob \w+\t/, " ")),
    ).toEqual([
      "100644 .gitignore",
      "100644 a",
      "100644 d",
      "100644 f/g",
      "120000 l",
      '100644 "späße \\"1\\""',
      "100755 tool.sh",
    ]);
    expect(git(workspace, "log", "--format=%an %s%n%b", "main..drydock/fix")).toBe(
      "Drydock Fix add()\nDrydock-Run: run_1",
    );
    expect(git(workspace, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/drydock/fix\nrefs/heads/main");
    expect(await commit(fixture)).toEqual(outcome);
  });

  it("refuses a branch that exists, and a name that can't be one", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "2" });
    await expect(commit(fixture, { branch: "main" })).rejects.toMatchObject({ code: "delivery.conflict" });
    for (const branch of ["-x", "a..b", "a b", ""]) {
      await expect(commit(fixture, { branch })).rejects.toMatchObject({ code: "input.invalid" });
    }
    expect(git(fixture.workspace, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("refuses files that were not as in HEAD, and names them", async () => {
    const fixture = prepareRepository({ a: "1", b: "1" }, { a: "2", b: "2", c: "3" });
    paint(fixture.workspace, { a: "other", c: "there" });
    git(fixture.workspace, "commit", "-qam", "second");
    git(fixture.workspace, "rm", "-q", "--cached", "b");
    git(fixture.workspace, "add", "c");
    git(fixture.workspace, "commit", "-qm", "third");
    expect(await commit(fixture)).toMatchObject({
      kind: "conflict",
      files: [{ path: "a" }, { path: "b" }, { path: "c" }],
    });
  });

  it("refuses a directory without a repository, and a repository without a commit", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2" });
    await expect(commit(fixture)).rejects.toMatchObject({
      code: "delivery.conflict",
      message: expect.stringMatching(/not a git working tree/),
    });
    git(fixture.workspace, "init", "-q");
    await expect(commit(fixture)).rejects.toMatchObject({
      code: "delivery.conflict",
      message: expect.stringMatching(/no commit yet/),
    });
    await expect(commit(fixture, { searchPath: "/nowhere" })).rejects.toMatchObject({
      message: expect.stringMatching(/no git on/),
    });
  });

  it("refuses content that is not what was recorded, and leaves no branch", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "2", b: "3" });
    const contents = { read: async () => Buffer.from("tampered") };
    await expect(commit(fixture, { contents })).rejects.toMatchObject({ code: "ledger.unavailable" });
    expect(git(fixture.workspace, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  it("takes the branch away again, unless it has moved on or is checked out", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "2" });
    const { workspace } = fixture;
    const outcome = await commit(fixture);
    const made = outcome.kind === "committed" ? outcome.commit : "";
    const place = { workspace, searchPath };
    git(workspace, "checkout", "-q", "drydock/fix");
    await expect(removeBranch(place, "drydock/fix", made)).rejects.toMatchObject({
      message: expect.stringMatching(/checked out/),
    });
    git(workspace, "commit", "-q", "--allow-empty", "-m", "more");
    await expect(removeBranch(place, "drydock/fix", made)).rejects.toMatchObject({
      message: expect.stringMatching(/moved on/),
    });
    git(workspace, "reset", "-q", "--hard", made);
    git(workspace, "checkout", "-q", "main");
    expect(await removeBranch(place, "drydock/fix", made)).toBe(true);
    expect(await removeBranch(place, "drydock/fix", made)).toBe(false);
  });
});

describe("a repository with hostile configuration", () => {
  function arm(fixture: DeliveryFixture): string {
    const { workspace } = fixture;
    const loot = join(dirname(workspace), "loot");
    mkdirSync(loot);
    chmodSync(loot, 0o777);
    const hooks = join(workspace, ".git", "evil");
    mkdirSync(hooks);
    const script = (name: string) => `#!/bin/sh\ntouch ${loot}/${name}\n`;
    const names = [
      "reference-transaction",
      "post-index-change",
      "pre-commit",
      "post-commit",
      "post-checkout",
      "update",
    ];
    for (const directory of [hooks, join(workspace, ".git", "hooks")]) {
      for (const name of names) writeFileSync(join(directory, name), script(name), { mode: 0o755 });
    }
    writeFileSync(join(hooks, "program"), script("program"), { mode: 0o755 });
    const program = join(hooks, "program");
    const settings: Record<string, string> = {
      "core.fsmonitor": program,
      "core.hooksPath": hooks,
      "core.pager": program,
      "core.editor": program,
      "core.sshCommand": program,
      "core.askPass": program,
      "core.gitProxy": program,
      "core.alternateRefsCommand": program,
      "gpg.program": program,
      "commit.gpgSign": "true",
      "credential.helper": program,
      "diff.external": program,
      "diff.evil.textconv": program,
      "filter.evil.clean": program,
      "filter.evil.smudge": program,
      "filter.evil.process": program,
      "filter.evil.required": "true",
      "extensions.partialClone": "evil",
      "remote.evil.url": `ext::${program}`,
      "remote.evil.promisor": "true",
      "remote.evil.uploadpack": program,
      "protocol.ext.allow": "always",
      "uploadpack.packObjectsHook": program,
    };
    git(workspace, "config", "core.repositoryFormatVersion", "1");
    for (const [name, value] of Object.entries(settings)) {
      execFileSync("git", ["config", name, value], {
        cwd: workspace,
        env: { PATH: searchPath, GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent" },
      });
    }
    return loot;
  }

  it("gets none of its programs started", async () => {
    const attributes = "* filter=evil diff=evil\n";
    const fixture = prepareRepository(
      { a: "1", ".gitattributes": attributes },
      { a: "2", b: "3", ".gitattributes": attributes },
    );
    const loot = arm(fixture);
    // The trap is armed: git itself walks into it.
    execFileSync("git", ["update-ref", "refs/heads/trap", "HEAD"], {
      cwd: fixture.workspace,
      env: { PATH: searchPath },
    });
    expect(readdirSync(loot)).toContain("reference-transaction");
    for (const name of readdirSync(loot)) execFileSync("rm", [join(loot, name)]);
    const outcome = await commit(fixture);
    expect(outcome).toMatchObject({ kind: "committed" });
    await removeBranch(
      { workspace: fixture.workspace, searchPath },
      "drydock/fix",
      outcome.kind === "committed" ? outcome.commit : "",
    );
    expect(readdirSync(loot)).toEqual([]);
  });

  it("can't make git fetch what is missing by a program of its own", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "2" });
    const oid = git(fixture.workspace, "rev-parse", "HEAD:a");
    const loot = arm(fixture);
    execFileSync("rm", ["-f", join(fixture.workspace, ".git/objects", oid.slice(0, 2), oid.slice(2))]);
    expect(await commit(fixture)).toMatchObject({ kind: "conflict", files: [{ path: "a" }] });
    expect(readdirSync(loot)).toEqual([]);
    // Git itself would have walked into it.
    spawnSync("git", ["cat-file", "blob", oid], { cwd: fixture.workspace, env: { PATH: searchPath } });
    expect(readdirSync(loot)).toContain("program");
  });

  it.runIf(process.getuid?.() === 0)("is worked on as its owner where root delivers", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "2" });
    chmodSync(dirname(fixture.workspace), 0o755);
    execFileSync("chown", ["-R", "65534:65534", fixture.workspace]);
    chownSync(fixture.workspace, 65534, 65534);
    expect(await commit(fixture)).toMatchObject({ kind: "committed" });
    const ref = join(fixture.workspace, ".git/refs/heads/drydock/fix");
    expect(existsSync(ref) && statSync(ref).uid).toBe(65534);
  });
});
