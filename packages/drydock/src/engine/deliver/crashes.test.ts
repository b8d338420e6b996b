import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crashEverywhere, prepareThirty } from "./testing/crash-everywhere.ts";
import { hashTree } from "./testing/trees.ts";

describe("a delivery that is killed", () => {
  // Every third step; `npm run soak` takes every one.
  it("is completed or undone by the next command, whatever step it had reached", async () => {
    const fixture = prepareThirty();
    expect(fixture.layer.entries.length).toBeGreaterThanOrEqual(30);
    const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
    const { steps, seen } = await crashEverywhere(fixture, { mode: "deliver", first: 1, every: 3 });
    expect(steps).toBeGreaterThan(50);
    expect(seen).toEqual(new Set(trees));
  });

  it("is so, too, where its recovery is killed again and again", async () => {
    const fixture = prepareThirty();
    const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
    const { seen } = await crashEverywhere(fixture, { mode: "deliver", first: 12, every: 17, recoveryEvery: 7 });
    expect(seen).toEqual(new Set(trees));
  });
});

describe("a delivery that is killed while it is put back", () => {
  it("is put back wholly, and leaves alone what somebody changed", async () => {
    const fixture = prepareThirty();
    const trees = [fixture.workspace, fixture.wanted].flatMap((tree) => {
      const as = (text: string) => {
        writeFileSync(join(tree, "zz.txt"), text);
        return hashTree(tree);
      };
      return [as("mine"), as("last")];
    });
    // From the step on at which everything is in place but the file that was changed.
    const { steps, seen } = await crashEverywhere(fixture, { mode: "deliver", first: 60, every: 7, disturb: "zz.txt" });
    expect(steps).toBeGreaterThan(80);
    expect([...seen].filter((tree) => !trees.includes(tree))).toEqual([]);
    expect(seen).toContain(trees[0]);
  });
});

describe("an undoing that is killed", () => {
  it("is completed or undone, and what is undone can be tried again", async () => {
    const fixture = prepareThirty();
    const old = hashTree(fixture.workspace);
    expect(await fixture.deliver()).toMatchObject({ kind: "applied" });
    const { seen } = await crashEverywhere(fixture, { mode: "revert", first: 1, every: 9 });
    expect(seen).toEqual(new Set([old, hashTree(fixture.wanted)]));
    expect(hashTree(fixture.workspace)).toBe(old);
    expect(existsSync(fixture.journalDirectory)).toBe(false);
  });
});
