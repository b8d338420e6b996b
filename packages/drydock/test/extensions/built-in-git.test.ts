import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeExtension, openExtensionDock, writeExtension } from "../testing/extension-dock.ts";

const plain = (name: string, words: string) =>
  `      - { name: ${name}, description: Git., runner: exec.git, args: [-c, safe.directory=*, ${words}] }\n`;
const made = openExtensionDock({
  extensions: [
    describeExtension(
      "plain",
      "{ tools: [git], paths: { read: ['**'] } }",
      plain("status", "status") + plain("diff", "diff") + plain("log", "log, --patch, --ext-diff"),
    ),
  ],
});

function git(cwd: string, ...words: string[]): string {
  const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...who, ...words], { cwd, env, stdio: ["ignore", "pipe", "ignore"] }).toString();
}

function makeRepository(...options: string[]): string {
  const directory = made.makeDirectory({ "a.txt": "one\ntwo\n", "folder/b.txt": "b\n" });
  git(directory, "init", "--quiet", "--initial-branch=main", ...options);
  git(directory, "add", ".");
  git(directory, "commit", "--quiet", "--message=first words");
  appendFileSync(join(directory, "a.txt"), "three\n");
  return directory;
}

const EVERY = [
  ["/git status", " M a.txt"],
  ["/git log --patch --stat", "first words"],
  ["/git log folder --author Ann --grep words", "first words"],
  ["/git diff", "+three"],
  ["/git diff --staged --stat", ""],
  ["/git show HEAD", "+two"],
  ["/git show HEAD:folder/b.txt", "b\n"],
  ["/git blame a.txt --lines 2,2", "2) two"],
  ["/git branches --all", "* main"],
] as const;

describe("/git", () => {
  it("shows what there is in a repository", async () => {
    const workspace = makeRepository();
    for (const [line, expected] of EVERY) expect(await made.output(line, { workspace }), line).toContain(expected);
    expect(await made.output("/git", { workspace })).toContain("## main");
  });

  it("reads repositories whose hashes are longer", async () => {
    const workspace = makeRepository("--object-format=sha256");
    expect(await made.output("/git log", { workspace })).toContain("first words");
  });

  it("says so where there is no repository", async () => {
    const { message } = await made.error("/git status", { workspace: made.makeDirectory({ a: "" }) });
    expect(message).toContain("There is no Git repository");
  });

  it("takes no value for an option, and has no action that changes anything", async () => {
    const workspace = makeRepository();
    for (const line of [
      "/git log --rev=--output=x",
      "/git show -- --output=/etc/x",
      "/git diff --from=--ext-diff",
      "/git show --output=x",
      "/git blame -- --contents=/etc/passwd",
      "/git push",
      "/git config --list",
      "/git status; rm a.txt",
      "/git log $(id)",
    ]) {
      const outcome = await made.call(line, { workspace });
      const done = outcome.type === "capability_result" && outcome.output !== "" ? outcome.output : "nothing";
      expect(done, line).toBe("nothing");
    }
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });
});

describe("a hostile repository", () => {
  /** Each writes its name where it is run. */
  const trap = (name: string) => `sh -c 'echo ${name} >> traps.log; cat' ${name}`;

  function makeHostile(): string {
    const directory = makeRepository();
    const inner = join(directory, "inner");
    mkdirSync(inner);
    git(inner, "init", "--quiet");
    git(inner, "commit", "--quiet", "--allow-empty", "--message=inner");
    git(directory, "add", "inner");
    const config = `
[core]
	fsmonitor = ${JSON.stringify(trap("fsmonitor"))}
	pager = ${JSON.stringify(trap("pager"))}
	sshCommand = ${JSON.stringify(trap("ssh"))}
	editor = ${JSON.stringify(trap("editor"))}
	hooksPath = evil-hooks
[diff]
	external = ${JSON.stringify(trap("external"))}
[diff "evil"]
	command = ${JSON.stringify(trap("command"))}
	textconv = ${JSON.stringify(trap("textconv"))}
[filter "evil"]
	clean = ${JSON.stringify(trap("clean"))}
	smudge = ${JSON.stringify(trap("smudge"))}
	required = true
[log]
	showSignature = true
[gpg]
	program = ${JSON.stringify(trap("gpg"))}
[alias]
	status = ${JSON.stringify(`!${trap("alias")}`)}
[include]
	path = ../included
`;
    const hook = `#!/bin/sh\necho hook >> traps.log\n`;
    writeExtension(directory, {
      ".gitattributes": "* filter=evil diff=evil\n",
      included: `[core]\n\tfsmonitor = ${JSON.stringify(trap("included"))}\n`,
      "evil-hooks/post-index-change": hook,
      ".git/hooks/post-index-change": hook,
    });
    chmodSync(join(directory, "evil-hooks", "post-index-change"), 0o755);
    chmodSync(join(directory, ".git", "hooks", "post-index-change"), 0o755);
    appendFileSync(join(inner, ".git", "config"), `[core]\n\tfsmonitor = "echo inner >> ../traps.log"\n`);
    appendFileSync(join(directory, ".git", "config"), config);
    return directory;
  }

  it("runs nothing of its own, whatever its configuration names", async () => {
    // Git without such care, in the same place: each of these would have been seen.
    const control = makeHostile();
    for (const line of ["/plain status", "/plain diff", "/plain log"]) {
      const error = await made.error(line, { workspace: control });
      expect(error, line).toMatchObject({ code: "policy.path_denied", paths: expect.arrayContaining(["traps.log"]) });
    }

    const workspace = makeHostile();
    for (const [line, expected] of EVERY) {
      const outcome = await made.call(line, { workspace });
      expect(outcome, line).toMatchObject({ type: "capability_result", artifacts: [] });
      expect("output" in outcome && outcome.output, line).toContain(expected);
      // Whatever a trap wrote would be a change of the run's.
      const events = await made.dock.runs.events(("runId" in outcome && outcome.runId) || "");
      expect(JSON.stringify(events), line).not.toContain("traps.log");
    }
    expect(existsSync(join(workspace, "traps.log"))).toBe(false);
  });

  it("can't point at another place: by core.worktree, a .git that is a link or a file, or links in it", async () => {
    const outside = makeRepository();
    const pointing = makeRepository();
    git(pointing, "config", "core.worktree", outside);
    git(pointing, "config", "core.bare", "true");
    appendFileSync(join(outside, "a.txt"), "from outside\n");
    expect(await made.output("/git diff", { workspace: pointing })).not.toContain("from outside");

    const linked = made.makeDirectory({ "a.txt": "" });
    symlinkSync(join(outside, ".git"), join(linked, ".git"));
    expect(await made.error("/git log", { workspace: linked })).toMatchObject({ code: "code.exit" });

    const named = made.makeDirectory({ ".git": `gitdir: ${join(outside, ".git")}\n` });
    expect(await made.error("/git log", { workspace: named })).toMatchObject({ code: "code.exit" });

    const inner = makeRepository();
    renameSync(join(inner, ".git", "objects"), join(inner, ".git", "mine"));
    symlinkSync(join(outside, ".git", "objects"), join(inner, ".git", "objects"));
    expect(await made.call("/git show HEAD", { workspace: inner })).toMatchObject({ type: "capability_error" });
  });
});
