import type { Check } from "@drydock/protocol";
import { expect, it } from "vitest";
import type { TreeRunner } from "../../src/engine/ports.ts";
import { judgeTree } from "../../src/engine/verify/index.ts";
import { makeDirectory, readDirectoryTree } from "../../src/engine/verify/testing/directory-tree.ts";
import type { Observed } from "../../src/sandbox/index.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { createDockRunner, POLICY } from "./judge.ts";

const test = openTestDock();
const CHECK: Check = { type: "command", cmd: "grep good a.txt" };

/** Judges a change, each run of which is observed as `observe` says. */
async function judgeObserved(observe: (isBefore: boolean) => Observed | undefined) {
  const real = createDockRunner(test.dock);
  const before = readDirectoryTree(makeDirectory({ "a.txt": "bad" }));
  const runner: TreeRunner = {
    run: async (request) => ({
      ...(await real.run(request)),
      observed: observe(request.layer?.workspace === before.layer?.workspace),
    }),
  };
  const tree = readDirectoryTree(makeDirectory({ "a.txt": "good" }));
  const { checks } = await judgeTree({ checks: [CHECK], tree, before, scope: [], policy: POLICY, runner });
  return checks[0];
}

const seen = (truncated: boolean): Observed => ({ programs: [], paths: [], truncated });

it("what was cut, on the untouched tree or on the judged one, proves nothing", async () => {
  expect(await judgeObserved(() => seen(false))).toMatchObject({ verdict: "passed", proves: true });
  for (const where of [true, false]) {
    const result = await judgeObserved((isBefore) => seen(isBefore === where));
    expect(result).toMatchObject({ verdict: "failed", code: "report_cut" });
  }
});

it("the evidence says so where nothing was observed", async () => {
  expect(await judgeObserved(() => undefined)).toMatchObject({ evidence: { observed: false } });
  expect((await judgeObserved(() => seen(false)))?.evidence).not.toHaveProperty("observed");
});
