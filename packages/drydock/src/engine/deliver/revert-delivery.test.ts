import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareDelivery } from "./testing/delivery-fixture.ts";
import { hashTree, paint, readTree } from "./testing/trees.ts";

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

describe("undoing a delivery", () => {
  it("brings back the tree as it was, and the delivery can be made again", async () => {
    const fixture = prepareDelivery(
      { a: "1", "d/e/f": "deep", l: { link: "a" }, "m/": { mode: 0o500 }, t: { text: "x", mode: 0o755 } },
      { a: "2", d: "file", l: "file", "m/": { mode: 0o755 }, "m/new": "n", t: "x", "n/o/p": "new" },
    );
    const old = readTree(fixture.workspace);
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    expect(await fixture.deliver()).toEqual({ kind: "nothing" });
    expect(await fixture.revert()).toMatchObject({ kind: "applied" });
    expect(readTree(fixture.workspace)).toEqual(old);
    expect(existsSync(fixture.journalDirectory)).toBe(false);
    expect(await fixture.revert()).toEqual({ kind: "nothing" });
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    expect(hashTree(fixture.workspace)).toBe(hashTree(fixture.wanted));
  });

  it("merges with what the user has changed since, merged files included", async () => {
    const fixture = prepareDelivery({ a: LINES }, { a: LINES.replace("two", "TWO") });
    writeFileSync(join(fixture.workspace, "a"), LINES.replace("four", "FOUR"));
    expect(await fixture.deliver()).toMatchObject({ kind: "applied", merged: ["a"] });
    writeFileSync(
      join(fixture.workspace, "a"),
      readFileSync(join(fixture.workspace, "a"), "utf8").replace("six", "SIX"),
    );
    expect(await fixture.revert()).toMatchObject({ kind: "applied", merged: ["a"] });
    expect(readFileSync(join(fixture.workspace, "a"), "utf8")).toBe(
      LINES.replace("four", "FOUR").replace("six", "SIX"),
    );
  });

  it("refuses, and names the files that were changed since", async () => {
    const fixture = prepareDelivery({ a: LINES, b: "1" }, { a: LINES.replace("two", "TWO"), b: "2", c: "3" });
    await fixture.deliver();
    paint(fixture.workspace, { a: LINES.replace("two", "mine"), c: "mine" });
    const before = readTree(fixture.workspace);
    expect(await fixture.revert()).toMatchObject({ kind: "conflict", files: [{ path: "a" }, { path: "c" }] });
    expect(readTree(fixture.workspace)).toEqual(before);
    paint(fixture.workspace, { a: LINES.replace("two", "TWO"), c: "3" });
    expect(await fixture.revert()).toMatchObject({ kind: "applied" });
  });
});
