import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareDelivery } from "./testing/delivery-fixture.ts";
import { hashTree, paint, readTree } from "./testing/trees.ts";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

describe("a delivery", () => {
  it("turns the workspace into the tree of the layer, whatever changes into what", async () => {
    const fixture = prepareDelivery(
      {
        "kept.txt": "kept",
        "changed.txt": "old",
        "gone.txt": "gone",
        "tool.sh": "echo",
        "was-file": "file",
        "was-link": { link: "kept.txt" },
        "linked.txt": "file",
        "was-directory/a/b.txt": "deep",
        "closed/": { mode: 0o555 },
        "emptied/one.txt": "1",
      },
      {
        "kept.txt": "kept",
        "changed.txt": "new",
        "tool.sh": { text: "echo", mode: 0o755 },
        "was-file/inside/deep.txt": "now a directory",
        "was-link": "now a file",
        "linked.txt": { link: "kept.txt" },
        "was-directory": "now a file",
        "closed/": { mode: 0o755 },
        "closed/new.txt": "new",
        "emptied/": "",
        "new/directory/": { mode: 0o500 },
        "new/directory/read-only.txt": { text: "x", mode: 0o400 },
        "späße \n.txt": "a name",
      },
    );
    const outcome = await fixture.deliver();
    expect(outcome).toMatchObject({ kind: "applied", merged: [] });
    expect(readTree(fixture.workspace)).toEqual(readTree(fixture.wanted));
    expect(outcome.kind === "applied" && outcome.changes).toEqual(
      expect.arrayContaining([
        { path: "gone.txt", kind: "deleted" },
        { path: "changed.txt", kind: "changed" },
        { path: "new/directory/read-only.txt", kind: "added" },
      ]),
    );
    expect(existsSync(join(fixture.home, "deliveries/open"))).toBe(true);
    expect(readTree(join(fixture.home, "deliveries/open"))).toEqual([]);
  });

  it("has nothing to do where everything is as it should be", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2", b: "3" });
    paint(fixture.workspace, { a: "2", b: "3" });
    expect(await fixture.deliver()).toEqual({ kind: "nothing" });
    expect(existsSync(fixture.journalDirectory)).toBe(false);
  });

  it("merges a text that the user changed elsewhere, and keeps the user's permissions", async () => {
    const fixture = prepareDelivery({ "a.txt": LINES }, { "a.txt": LINES.replace("two", "TWO") });
    writeFileSync(join(fixture.workspace, "a.txt"), LINES.replace("six", "SIX"));
    await chmod(join(fixture.workspace, "a.txt"), 0o755);
    expect(await fixture.deliver()).toMatchObject({ kind: "applied", merged: ["a.txt"] });
    expect(readFileSync(join(fixture.workspace, "a.txt"), "utf8")).toBe(
      LINES.replace("two", "TWO").replace("six", "SIX"),
    );
    expect(statSync(join(fixture.workspace, "a.txt")).mode & 0o777).toBe(0o755);
  });

  it("refuses as a whole where anything conflicts, and names every file", async () => {
    const fixture = prepareDelivery(
      { "a.txt": LINES, "b.bin": "a\0b", "c.txt": "c", "d.txt": "d", "e/x": "x", ok: "1", f: "f" },
      {
        "a.txt": LINES.replace("two", "2"),
        "b.bin": "a\0c",
        "d.txt": "D",
        "e/x": "X",
        ok: "2",
        f: { text: "f", mode: 0o755 },
        n: "n",
      },
    );
    paint(fixture.workspace, { "a.txt": LINES.replace("two", "zwei"), "b.bin": "a\0x", "c.txt": "changed", n: "mine" });
    await rm(join(fixture.workspace, "d.txt"));
    await rm(join(fixture.workspace, "e"), { recursive: true });
    await chmod(join(fixture.workspace, "f"), 0o600);
    const before = hashTree(fixture.workspace);
    const outcome = await fixture.deliver();
    expect(outcome).toEqual({
      kind: "conflict",
      files: [
        { path: "a.txt", reason: "was changed meanwhile, in the same places or not as text" },
        { path: "b.bin", reason: "was changed meanwhile, in the same places or not as text" },
        { path: "c.txt", reason: "was changed meanwhile" },
        { path: "d.txt", reason: "was deleted meanwhile" },
        { path: "e/x", reason: "was deleted meanwhile" },
        { path: "f", reason: "has other permissions now" },
        { path: "n", reason: "was created meanwhile" },
      ],
    });
    expect(hashTree(fixture.workspace)).toBe(before);
    expect(existsSync(fixture.journalDirectory)).toBe(false);
  });

  it("refuses to merge where what the file was before is not kept", async () => {
    const fixture = prepareDelivery({ "a.txt": LINES }, { "a.txt": LINES.replace("two", "2") });
    writeFileSync(join(fixture.workspace, "a.txt"), LINES.replace("six", "6"));
    const { path, read } = fixture.contents;
    const outcome = await fixture.deliver({ contents: { path, read } });
    expect(outcome).toMatchObject({
      kind: "conflict",
      files: [{ path: "a.txt", reason: expect.stringMatching(/not kept/) }],
    });
  });

  it("follows no symlink that took a directory's place", async () => {
    const fixture = prepareDelivery({ "src/a.txt": "1" }, { "src/a.txt": "2", "src/b.txt": "3" });
    const outside = join(fixture.home, "outside");
    await mkdir(outside);
    writeFileSync(join(outside, "a.txt"), "1");
    await rename(join(fixture.workspace, "src"), join(fixture.workspace, "away"));
    await symlink(outside, join(fixture.workspace, "src"));
    const outcome = await fixture.deliver();
    expect(outcome).toMatchObject({ kind: "conflict", files: [{ path: "src/a.txt" }, { path: "src/b.txt" }] });
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("1");
    expect(existsSync(join(outside, "b.txt"))).toBe(false);
  });

  it("keeps a directory that it would remove where something the run did not know is in it", async () => {
    const fixture = prepareDelivery({ "d/e/a.txt": "1", "d/b.txt": "2", x: "x" }, { x: "y" });
    paint(fixture.workspace, { "d/.env": "SECRET" });
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    expect(readTree(fixture.workspace).map((line) => line.split(" ")[0])).toEqual(["d", "d/.env", "x"]);
  });

  it("does not write through a hard link", async () => {
    const fixture = prepareDelivery({ a: "old", b: "old" }, { a: "new", b: { text: "old", mode: 0o600 } });
    const others = ["a", "b"].map((name) => join(fixture.home, name));
    for (const [index, name] of ["a", "b"].entries()) linkSync(join(fixture.workspace, name), others[index] ?? "");
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    expect(others.map((path) => [readFileSync(path, "utf8"), statSync(path).mode & 0o777])).toEqual([
      ["old", 0o644],
      ["old", 0o644],
    ]);
  });

  it("puts everything back where somebody changes a file in the middle of it", async () => {
    const fixture = prepareDelivery({ a: "1", "m/x": "x", z: "26" }, { a: "2", n: "new", z: "27" });
    const before = readTree(fixture.workspace);
    const outcome = await fixture.deliver({
      onStep: (step) => {
        if (step === "placed a") writeFileSync(join(fixture.workspace, "z"), "mine");
      },
    });
    expect(outcome).toEqual({
      kind: "conflict",
      files: [{ path: "z", reason: "was changed while it was being delivered" }],
    });
    expect(readFileSync(join(fixture.workspace, "z"), "utf8")).toBe("mine");
    writeFileSync(join(fixture.workspace, "z"), "26");
    expect(readTree(fixture.workspace)).toEqual(before);
    expect(existsSync(fixture.journalDirectory)).toBe(false);
  });

  it("can be cancelled until it is prepared, and then leaves nothing behind", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2", b: "3" });
    const before = readTree(fixture.workspace);
    const cancel = new AbortController();
    const delivery = fixture.deliver({ signal: cancel.signal, onStep: () => cancel.abort() });
    await expect(delivery).rejects.toMatchObject({ code: "run.cancelled" });
    expect(readTree(fixture.workspace)).toEqual(before);
    expect(readTree(join(fixture.home, "deliveries/open"))).toEqual([]);
    expect(existsSync(fixture.journalDirectory)).toBe(false);
  });

  it("waits for another that is under way in the same workspace", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2" });
    const other = prepareDelivery({ a: "1" }, { a: "1", b: "1" });
    const steps: string[] = [];
    const outcomes = await Promise.all([
      fixture.deliver({ onStep: (step) => steps.push(`first ${step}`) }),
      fixture.deliver({
        journalDirectory: join(fixture.home, "deliveries", "run_2"),
        layer: { ...other.layer, workspace: fixture.workspace },
        contents: other.contents,
        onStep: (step) => steps.push(`second ${step}`),
      }),
    ]);
    expect(outcomes).toMatchObject([{ kind: "applied" }, { kind: "applied" }]);
    const order = steps.map((step) => step.split(" ")[0]);
    expect([...order].sort()).toEqual(order[0] === "first" ? order : [...order].reverse());
    expect(readTree(fixture.workspace)).toHaveLength(2);
  });

  it("says that the workspace is not there any more", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2" });
    await rename(fixture.workspace, `${fixture.workspace}-moved`);
    await expect(fixture.deliver()).rejects.toMatchObject({
      code: "delivery.conflict",
      message: expect.stringMatching(/not there any more/),
    });
    await symlink(`${fixture.workspace}-moved`, fixture.workspace);
    await expect(fixture.deliver()).rejects.toMatchObject({
      code: "delivery.conflict",
      message: expect.stringMatching(/symbolic link/),
    });
  });

  it("refuses content that is not what was recorded", async () => {
    const fixture = prepareDelivery({ a: "1" }, { a: "2", b: "3" });
    const before = readTree(fixture.workspace);
    const entry = fixture.layer.entries.find(({ path }) => path === "b");
    writeFileSync(await fixture.contents.path(entry?.sha256 ?? ""), "tampered");
    await expect(fixture.deliver()).rejects.toMatchObject({ code: "ledger.unavailable" });
    expect(readTree(fixture.workspace)).toEqual(before);
  });
});
