import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { measureFiles } from "./mutable-tree.ts";
import { makeSuitePairs } from "./suite-pairs.ts";

const test = openTestDock();
const PAIRS = 50;

it("in 50 pairs of suites for the same change, the one that checks nothing is the weaker one", async () => {
  const wrong: string[] = [];
  for (const { name, cmd, good, vacuous } of makeSuitePairs(PAIRS)) {
    const [strong, weak] = [await measureFiles(test.dock, good, cmd), await measureFiles(test.dock, vacuous, cmd)];
    console.log(`${name}: ${strong.killed} and ${weak.killed} of ${strong.total}`);
    if (strong.score === null || weak.score === null || weak.score >= strong.score) wrong.push(name);
  }
  expect(wrong).toEqual([]);
});
