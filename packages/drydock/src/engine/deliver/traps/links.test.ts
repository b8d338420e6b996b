import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareDelivery } from "../testing/delivery-fixture.ts";
import { MEMORY, type Picture, readTree } from "../testing/trees.ts";

const link = (target: string) => ({ link: target });

describe("a symlink that leads out of the workspace", () => {
  const ESCAPES: [what: string, before: Picture, after: Picture][] = [
    ["absolute", {}, { l: link("/etc/passwd") }],
    ["upwards", {}, { l: link("../x") }],
    ["upwards after a way down", { "a/b/x": "" }, { "a/b/x": "", "a/l": link("b/../../../x") }],
    ["upwards from below", {}, { "a/b/l": link("../../../x") }],
    ["to the parent itself", {}, { "a/l": link("../..") }],
    ["through another new link", {}, { a: link("b/.."), "c/b/x": "", b: link("c/b/../../..") }],
    [
      "through a directory that a link shortens",
      { "deep/er/x": "" },
      { "deep/er/x": "", s: link("deep/er"), l: link("s/../../..") },
    ],
    ["through a link of the user", { out: link("/opt"), a: "1" }, { out: link("/opt"), a: "1", l: link("out/tool") }],
    ["in the place of a file", { "bin/tool": "x" }, { "bin/tool": link("/tmp/tool") }],
    ["with a new target", { l: link("a"), a: "" }, { l: link("../a"), a: "" }],
    ["on Windows", {}, { l: link("..\\..\\x") }],
    ["to a drive on Windows", {}, { l: link("C:/Windows") }],
    ["into the repository's own files", {}, { l: link(".git/config") }],
    ["into those of a repository below, in another spelling", {}, { "a/l": link("../sub/.GIT/hooks") }],
  ];

  it.each(ESCAPES)("is refused: %s", async (_what, before, after) => {
    const fixture = prepareDelivery(before, after, MEMORY);
    const old = readTree(fixture.workspace);
    await expect(fixture.deliver()).rejects.toMatchObject({
      code: "policy.path_denied",
      message: expect.stringMatching(/symbolic link/),
    });
    expect(readTree(fixture.workspace)).toEqual(old);
  });

  it("is refused where a link of the user makes it so meanwhile", async () => {
    const fixture = prepareDelivery({}, { l: link("way/x") });
    symlinkSync("/opt", join(fixture.workspace, "way"));
    await expect(fixture.deliver()).rejects.toMatchObject({ code: "policy.path_denied" });
  });
});

describe("a symlink that stays inside", () => {
  const HONEST: [what: string, before: Picture, after: Picture][] = [
    ["beside it", { a: "" }, { a: "", l: link("a") }],
    ["up and down", { "a/x": "", "b/y": "" }, { "a/x": "", "b/y": "", "a/l": link("../b/y") }],
    ["the root itself", { "a/x": "" }, { "a/x": "", "a/l": link("..") }],
    ["to nothing", {}, { l: link("not/there/../yet") }],
    ["in a circle", {}, { a: link("b"), b: link("a") }],
    ["through others", { "d/x": "" }, { "d/x": "", a: link("d"), b: link("a/x"), c: link("./b") }],
    ["while one that the user had leads out", { out: link("/opt"), a: "" }, { out: link("/opt"), a: "", l: link("a") }],
    ["to honest names with dots", { "..a/x": "" }, { "..a/x": "", l: link("..a/x") }],
  ];

  it.each(HONEST)("is delivered: %s", async (_what, before, after) => {
    const fixture = prepareDelivery(before, after, MEMORY);
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
  });

  it("may take the place of one that leads out", async () => {
    const fixture = prepareDelivery({ l: link("/opt"), a: "" }, { l: link("a"), a: "" });
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
  });
});
