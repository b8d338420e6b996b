import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareDelivery } from "../testing/delivery-fixture.ts";
import { plantRepository, runsPlanted } from "../testing/planted-repository.ts";
import { MEMORY, makeDirectory, type Picture, paint, readTree } from "../testing/trees.ts";
import { isRepositoryName } from "./fold-name.ts";

const REFUSED = { code: "policy.path_denied" };

async function expectRefused(before: Picture, after: Picture): Promise<void> {
  const fixture = prepareDelivery(before, after, MEMORY);
  const old = readTree(fixture.workspace);
  await expect(fixture.deliver()).rejects.toMatchObject(REFUSED);
  expect(readTree(fixture.workspace)).toEqual(old);
}

async function expectDelivered(before: Picture, after: Picture): Promise<void> {
  const fixture = prepareDelivery(before, after, MEMORY);
  expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
  expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
}

describe("a directory that git takes for a repository", () => {
  it("runs what it names at git status, and so is not delivered", async () => {
    const marker = join(makeDirectory(), "ran");
    const control = makeDirectory();
    paint(control, plantRepository("docs", marker));
    expect(runsPlanted(control, "docs", marker)).toBe(true);

    const second = join(makeDirectory(), "ran");
    const fixture = prepareDelivery({ "docs/a.md": "a" }, { "docs/a.md": "b", ...plantRepository("docs", second) });
    const old = readTree(fixture.workspace);
    await expect(fixture.deliver()).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringMatching(/docs\/HEAD.*git takes for a repository/),
    });
    expect(readTree(fixture.workspace)).toEqual(old);
    expect(runsPlanted(fixture.workspace, "docs", second)).toBe(false);
  });

  it.each([
    ["at the root", ""],
    ["far below", "a/b/c/d/"],
  ])("is refused %s", (_where, at) =>
    expectRefused({ x: "1" }, { x: "1", [`${at}HEAD`]: "h", [`${at}objects/x`]: "", [`${at}refs/x`]: "" }),
  );

  it.each(["HEAD", "objects/x", "refs/x"])("is not completed by %s", async (last) => {
    const whole: Picture = { "d/HEAD": "ref: refs/heads/x", "d/objects/x": "", "d/refs/x": "", "d/config": "" };
    const { [`d/${last}`]: _, ...before } = whole;
    await expectRefused(before, whole);
  });

  it("is not completed by what came into the workspace meanwhile", async () => {
    const fixture = prepareDelivery({ "d/HEAD": "x" }, { "d/HEAD": "x", "d/refs/x": "" });
    mkdirSync(join(fixture.workspace, "d/objects"));
    await expect(fixture.deliver()).rejects.toMatchObject(REFUSED);
  });

  it.each([
    [
      "with links in the place of its directories",
      { "d/HEAD": { link: "h" }, "d/objects": { link: "o" }, "d/refs": "" },
    ],
    ["whose other half lies elsewhere", { "d/HEAD": "ref: refs/heads/x", "d/commondir": "../e", "e/config": "" }],
    ["in capitals, on a file system that knows none", { "d/head": "", "d/Objects/x": "", "d/REFS/x": "" }],
  ] as [string, Picture][])("is refused %s", (_what, after) => expectRefused({}, after));

  it("that the workspace has already is not changed, but may be removed", async () => {
    const bare = { "fix.git/HEAD": "ref: refs/heads/x", "fix.git/objects/x": "", "fix.git/refs/x": "" };
    await expectRefused(bare, { ...bare, "fix.git/config": "[core]" });
    await expectRefused(bare, { ...bare, "fix.git/hooks/post-checkout": { text: "#!/bin/sh", mode: 0o755 } });
    await expectDelivered({ ...bare, a: "1" }, { a: "1" });
  });

  it("is not what honest names are taken for", async () => {
    await expectDelivered({}, { "docs/HEAD": "a heading", "src/objects/a.ts": "", "src/refs/b.ts": "" });
    await expectDelivered({}, { "docs/objects/a": "", "docs/refs/b": "", "other/HEAD": "x" });
  });
});

describe("names that some file system takes for .git", () => {
  const SPELLINGS = [
    ...[".git", ".GIT", ".Git", ".git.", ".git ", ".git . .", "git~1", "GIT~1", "git~2"],
    ...[".g\u200cit", ".gi\ufefft", "\u200e.git", ".git\u206f", ".git::$INDEX_ALLOCATION", "a\\.git\\hooks"],
    ...[".drydock", ".DRYDOCK", ".hg"],
  ];

  it.each(SPELLINGS)("%j is refused as a directory, a file and a link, at every depth", async (name) => {
    expect(isRepositoryName(name)).toBe(true);
    await expectRefused({}, { [`${name}/hooks/pre-commit`]: "#!/bin/sh" });
    await expectRefused({ "sub/a": "" }, { "sub/a": "", [`sub/${name}`]: "gitdir: ../elsewhere" });
    await expectRefused({}, { [`deep/er/${name}`]: { link: "real" } });
  });

  it.each([".gitignore", ".github", "git", ".gitkeep", "x.git", "git~", "digit~1", ".git-blame-ignore-revs", "hg"])(
    "%s is an honest name",
    async (name) => {
      expect(isRepositoryName(name)).toBe(false);
      await expectDelivered({}, { [name]: "x", [`below/${name}`]: "x" });
    },
  );
});
