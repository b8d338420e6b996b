import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DeliveryFixture, prepareDelivery, RULES } from "../testing/delivery-fixture.ts";
import { plantRepository, runsPlanted } from "../testing/planted-repository.ts";
import { makeDirectory, type Picture } from "../testing/trees.ts";
import { type CommitOptions, commitLayer } from "./commit-layer.ts";
import { readHookDirectories } from "./read-hook-directories.ts";

const searchPath = process.env.PATH ?? "";
const REFUSED = { code: "policy.path_denied" };

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "safe.directory=*"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", env: { PATH: searchPath } }).trim();
}

function prepareRepository(before: Picture, after: Picture): DeliveryFixture {
  const fixture = prepareDelivery(before, after);
  git(fixture.workspace, "init", "-q", "-b", "main");
  git(fixture.workspace, "add", "-A");
  git(fixture.workspace, "commit", "-q", "--allow-empty", "-m", "first");
  return fixture;
}

function commit({ workspace, layer, contents }: DeliveryFixture, autorun: CommitOptions["autorun"] = {}) {
  const reply = { id: "run_1", date: new Date(1_700_000_000_000), message: "Fix", branch: "fix" };
  return commitLayer({ workspace, searchPath, layer, contents, rules: RULES, autorun, ...reply });
}

const branches = ({ workspace }: DeliveryFixture) => git(workspace, "for-each-ref", "--format=%(refname)");

describe("a branch", () => {
  it("holds no repository that runs its configuration when it is checked out", async () => {
    const marker = join(makeDirectory(), "ran");
    const fixture = prepareRepository({ a: "1" }, { a: "1", ...plantRepository("docs", marker) });
    await expect(commit(fixture)).rejects.toMatchObject(REFUSED);
    expect(branches(fixture)).toBe("refs/heads/main");
    // The control: it would have run.
    expect(runsPlanted(fixture.wanted, "docs", marker)).toBe(true);
  });

  it("completes none, neither with what is committed nor with what only lies there", async () => {
    const half: Picture = { "d/HEAD": "ref: refs/heads/x", "d/refs/x": "" };
    await expect(commit(prepareRepository(half, { ...half, "d/objects/x": "" }))).rejects.toMatchObject(REFUSED);
    const fixture = prepareRepository({ a: "1" }, { a: "1", ...half });
    mkdirSync(join(fixture.workspace, "d/objects"), { recursive: true });
    await expect(commit(fixture)).rejects.toMatchObject(REFUSED);
    expect(branches(fixture)).toBe("refs/heads/main");
  });

  it.each([
    ["an absolute link", {}, { l: { link: "/etc" } }],
    ["a link upwards", {}, { "a/l": { link: "../../x" } }],
    ["a link through a committed one", { out: { link: "/opt" } }, { out: { link: "/opt" }, l: { link: "out/x" } }],
    ["a .GIT", {}, { ".GIT/hooks/x": "" }],
    ["a git~1", {}, { "sub/git~1": "" }],
    ["a set-user-ID file", {}, { tool: { text: "", mode: 0o4755 } }],
  ] as [string, Picture, Picture][])("holds no %s", async (_what, before, after) => {
    const fixture = prepareRepository(before, after);
    await expect(commit(fixture)).rejects.toMatchObject(REFUSED);
    expect(branches(fixture)).toBe("refs/heads/main");
  });

  it("holds honest links, names and modes", async () => {
    const after: Picture = {
      a: "1",
      l: { link: "a" },
      "docs/HEAD": "x",
      "src/objects/x": "",
      "run.sh": { text: "#!/bin/sh", mode: 0o755 },
      wide: { text: "", mode: 0o666 },
    };
    expect(await commit(prepareRepository({ a: "1" }, after))).toMatchObject({ kind: "committed", autorun: [] });
  });

  it("holds files that run by themselves once somebody has agreed", async () => {
    const fixture = prepareRepository({ a: "1" }, { a: "1", ".github/workflows/ci.yml": "on: push" });
    expect(await commit(fixture)).toMatchObject({ kind: "autorun", files: [{ path: ".github/workflows/ci.yml" }] });
    expect(branches(fixture)).toBe("refs/heads/main");
    expect(await commit(fixture, { isAllowed: true })).toMatchObject({
      kind: "committed",
      autorun: [".github/workflows/ci.yml"],
    });
  });
});

describe("core.hooksPath", () => {
  it("is read from the repository's configuration, relative to the workspace", async () => {
    const { workspace } = prepareRepository({ "sub/a": "1" }, {});
    const sub = join(workspace, "sub");
    expect(await readHookDirectories({ workspace, searchPath })).toEqual([]);
    git(workspace, "config", "core.hooksPath", "sub/hooks");
    expect(await readHookDirectories({ workspace, searchPath })).toEqual(["sub/hooks"]);
    expect(await readHookDirectories({ workspace: sub, searchPath })).toEqual(["hooks"]);
    git(workspace, "config", "core.hooksPath", join(workspace, "tools"));
    expect(await readHookDirectories({ workspace, searchPath })).toEqual(["tools"]);
    expect(await readHookDirectories({ workspace: sub, searchPath })).toEqual([]);
  });

  it("is nothing where there is no repository, or no git", async () => {
    const workspace = makeDirectory();
    expect(await readHookDirectories({ workspace, searchPath })).toEqual([]);
    expect(await readHookDirectories({ workspace, searchPath: "/nonexistent" })).toEqual([]);
  });
});
