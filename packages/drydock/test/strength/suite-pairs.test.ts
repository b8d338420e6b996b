import { expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { measureFiles } from "./mutable-tree.ts";
import { makeSuitePairs } from "./suite-pairs.ts";

const test = openTestDock();

it.each(makeSuitePairs(4))(
  "a suite that checks nothing is weaker than one that does: $name",
  async (pair) => {
    const good = await measureFiles(test.dock, pair.good, pair.cmd);
    const vacuous = await measureFiles(test.dock, pair.vacuous, pair.cmd);
    expect(good.total).toBe(vacuous.total);
    expect(vacuous.score).toBeLessThan(good.score ?? 0);
  },
  120_000,
);
