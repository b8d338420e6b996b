import { expect, it } from "vitest";
import { crashEverywhere, prepareThirty } from "./testing/crash-everywhere.ts";
import { hashTree } from "./testing/trees.ts";

it("a delivery is completed or undone, whatever step it had reached when it was killed", async () => {
  const fixture = prepareThirty();
  const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
  const { seen } = await crashEverywhere(fixture, { mode: "deliver", first: 1, every: 1 });
  expect(seen).toEqual(new Set(trees));
});

it("an undoing is completed or undone, whatever step it had reached when it was killed", async () => {
  const fixture = prepareThirty();
  const old = hashTree(fixture.workspace);
  await fixture.deliver();
  const { seen } = await crashEverywhere(fixture, { mode: "revert", first: 1, every: 1 });
  expect(seen).toEqual(new Set([old, hashTree(fixture.wanted)]));
});

it("a recovery may be killed after each of its steps, whatever step the delivery had reached", async () => {
  const fixture = prepareThirty();
  const trees = [hashTree(fixture.workspace), hashTree(fixture.wanted)];
  const { seen } = await crashEverywhere(fixture, { mode: "deliver", first: 1, every: 3, recoveryEvery: 1 });
  expect(seen).toEqual(new Set(trees));
});
