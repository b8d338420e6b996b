import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { crashEverywhere, prepareThirty } from "./testing/crash-everywhere.ts";
import { hashTree } from "./testing/trees.ts";

describe("a delivery that is killed", () => {
  it("is completed or undone by the next command, whatever step it had reached", async () => {
    // Two at a time, the odd steps and the even ones.
    const outcomes = [1, 2].map(async (first) => {
      const fixture = prepareThirty();
      expect(fixture.layer.entries.length).toBeGreaterThanOrEqual(30);
      const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
      const { steps, seen } = await crashEverywhere(fixture, { mode: "deliver", first, every: 2 });
      expect(steps).toBeGreaterThan(50);
      expect(seen).toEqual(new Set(trees));
    });
    await Promise.all(outcomes);
  });

  it("is so, too, where its recovery is killed again and again", async () => {
    const fixture = prepareThirty();
    const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
    const { seen } = await crashEverywhere(fixture, { mode: "deliver", first: 12, every: 17, recoveryEvery: 7 });
    expect(seen).toEqual(new Set(trees));
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
