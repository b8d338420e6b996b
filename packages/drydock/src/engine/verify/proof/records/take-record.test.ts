import { expect, it } from "vitest";
import { createPathRules, resolvePolicy } from "../../../../policy/index.ts";
import type { CheckFinding } from "../../check-finding.ts";
import type { JudgeContext } from "../../judge-context.ts";
import { makeTree } from "../../testing/directory-tree.ts";
import type { CommandCheck } from "./base-record.ts";
import { createMemoryStore } from "./memory-store.ts";
import { takeRecord } from "./take-record.ts";

const { effective: policy } = resolvePolicy({ home: null, workspace: null });
const tree = makeTree({ "a.py": "" });
const check: CommandCheck = { type: "command", cmd: "pytest -q" };

/** A check that fails where it is ended early, and passes with all its time. */
function open() {
  const runs: (boolean | undefined)[] = [];
  const judge = async (_: CommandCheck, { endsStalled }: JudgeContext): Promise<CheckFinding> => {
    runs.push(endsStalled);
    return { verdict: endsStalled ? "failed" : "passed", code: "x", reason: "", evidence: {} };
  };
  const contextFor = (): JudgeContext => ({
    ...{ tree, before: tree, policy, rules: createPathRules(policy), services: [], noteChanged: () => {} },
    runner: { run: () => Promise.reject(new Error("not used")) },
  });
  return { runs, options: { store: createMemoryStore(), contextFor, judge } };
}

it("ends a run on the untouched tree early, and takes that once", async () => {
  const { runs, options } = open();
  expect(await takeRecord(check, tree, options)).toMatchObject({ passed: false });
  expect(await takeRecord(check, tree, options)).toMatchObject({ passed: false });
  expect(runs).toEqual([true]);
});

it("gives the run all its time where the short one is not enough, and keeps that", async () => {
  const { runs, options } = open();
  await takeRecord(check, tree, options);
  const isEnough = ({ passed }: { passed: boolean }) => passed;
  expect(await takeRecord(check, tree, { ...options, isEnough })).toMatchObject({ passed: true });
  expect(await takeRecord(check, tree, { ...options, isEnough })).toMatchObject({ passed: true });
  expect(await takeRecord(check, tree, options)).toMatchObject({ passed: true });
  expect(runs).toEqual([true, false]);
});
