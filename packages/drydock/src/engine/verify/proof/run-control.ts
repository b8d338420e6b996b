import type { ControlEvidence } from "@drydock/protocol";
import { isTestFile } from "../implied/test-files.ts";
import type { TestComparison } from "./compare-tests.ts";
import { makeControl } from "./control/make-control.ts";
import { isTestsAlone, listAddedTests } from "./find-doubt.ts";
import type { ChangeOptions } from "./judge-change.ts";
import type { CheckRecord } from "./records/base-record.ts";
import { findTestInputs, isNamedExpected } from "./test-inputs.ts";

const SLOW_MS = 5000;

/** What a control needs to know of a comparison. */
export type Compared = Pick<TestComparison, "newlyPassing" | "added">;

/** A check that passes whatever it should expect, on the untouched tree as well: the change has no part in that. */
export async function discountBaselineControl(
  control: ControlEvidence | undefined,
  passedBefore: boolean,
  options: ChangeOptions,
  records: readonly CheckRecord[],
): Promise<ControlEvidence | undefined> {
  const { context, baseline } = options;
  if (control?.failed !== false || !passedBefore || !baseline.before.edit) return control;
  const untouched = { ...options, context: { ...context, tree: baseline.before } };
  const before = await runControl(untouched, records, null);
  if (before?.failed !== false) return control;
  const reason = `${control.reason} It does so on the untouched tree as well, and proves nothing there either.`;
  return { ...control, kind: "none", failed: null, survivors: [], reason };
}

/** Only what this very check reads is spoiled: a check of something else has no reason to fail then. */
export async function runControl(
  options: ChangeOptions,
  records: readonly CheckRecord[],
  compared: Compared | null,
): Promise<ControlEvidence | undefined> {
  const { check, context, baseline, judge, runPython, salt } = options;
  if (!context.tree.edit) return undefined;
  // What the work reads by now as well is still what the tests compare with.
  const untouched = await baseline.recordsOf(check);
  const { newlyPassing = [] } = compared ?? {};
  const additions = compared ? listAddedTests(options) : [];
  // Tests that are all there is must each expect something, or they raise coverage and nothing else.
  const isByAdded = newlyPassing.length === 0 && !untouched.at(-1)?.passed && isTestsAlone(baseline, additions);
  const isInput = (path: string) => baseline.inputs.has(path) || isTestFile(path);
  const added = new Set(baseline.changed.flatMap(({ path, kind }) => (kind === "added" ? [path] : [])));
  return makeControl({
    check,
    context,
    judge,
    runPython,
    salt,
    // What the change added could tell it that a control is under way.
    inputs: new Map(
      [...findTestInputs(untouched), ...findTestInputs(records), ...baseline.testSide].filter(
        ([path]) => !added.has(path) && !baseline.released.has(path),
      ),
    ),
    told: listTold(records),
    addedTests: compared && newlyPassing.length === 0 ? additions : [],
    changedSource: baseline.changed
      .filter(({ path, kind }) => kind !== "deleted" && !isInput(path))
      .map(({ path }) => path),
    newlyPassing: isByAdded ? (compared?.added ?? []) : newlyPassing,
    hasTests: compared !== null,
    isSlow: isSlow(options, untouched),
    observed: records.at(-1)?.observed ?? null,
  });
}

/** Data that a test named to the code that read it, and that does not say of itself that it is the answer. */
function listTold(records: readonly CheckRecord[]): Set<string> {
  const sought = records.flatMap(({ report }) => report?.sought ?? []);
  return new Set(
    sought.flatMap(({ path, by, giver }) =>
      giver !== null && isTestFile(giver) && !isTestFile(by) && !isNamedExpected(path) ? [path] : [],
    ),
  );
}

/**
 * A check that takes long has fewer controls. The untouched tree's run counts as well: a change could choose its controls by
 * sleeping.
 */
function isSlow({ durationMs }: ChangeOptions, untouched: readonly CheckRecord[]): boolean {
  return Math.min(durationMs, ...untouched.map((record) => record.durationMs)) > SLOW_MS;
}
