import * as z from "zod";

export const CheckSource = z
  .enum(["plan", "user", "owner", "workspace"])
  .describe("The source of the check. A model writes the plan's checks; the others come from people.");
export type CheckSource = z.infer<typeof CheckSource>;

export const TEST_RUNNERS = ["pytest", "unittest", "node", "jest", "vitest", "mocha", "junit"] as const;
export const TestRunner = z.enum(TEST_RUNNERS);
export type TestRunner = z.infer<typeof TestRunner>;

/** `expected`: marked as expected to fail, and it failed. */
export const TestOutcome = z.enum(["passed", "failed", "skipped", "expected"]);
export type TestOutcome = z.infer<typeof TestOutcome>;

const ids = z.array(z.string());
const count = z.number().int();

/**
 * What a check's test runner reported, test by test, compared with the untouched tree. The lists are cut to 200 ids;
 * `counts` are of all.
 */
export const TestEvidence = z.object({
  runners: z.array(TestRunner).describe("The test runners that reported."),
  complete: z.boolean().describe("True if each runner reported its own end."),
  counts: z
    .object({
      newlyPassing: count.describe("Tests that failed without the change and pass with it."),
      stillPassing: count.describe("Tests that pass with and without the change."),
      newlyFailing: count.describe("Tests that passed without the change and fail with it."),
      stillFailing: count.describe("Tests that fail with and without the change."),
      missing: count.describe("Tests that were reported without the change only."),
      skipped: count.describe("Tests that ran without the change, and are skipped or expected to fail with it."),
      added: count.describe("Tests that were reported with the change only."),
    })
    .describe("How many tests there are of each kind."),
  newlyPassing: ids.describe("Names of tests that failed without the change and pass with it, at most 200."),
  newlyFailing: ids.describe("Names of tests that passed without the change and fail with it, at most 200."),
  stillFailing: ids.describe("Names of tests that fail with and without the change, at most 200."),
  missing: ids.describe("Names of tests that were reported without the change only, at most 200."),
  skipped: ids.describe("Names of tests that ran without the change and are skipped with it, at most 200."),
  added: ids.describe("Names of tests that were reported with the change only, at most 200."),
});
export type TestEvidence = z.infer<typeof TestEvidence>;

/** The negative control: the source stays, and what the tests expect is spoiled. A check that still passes proves nothing. */
export const ControlEvidence = z.object({
  kind: z
    .enum(["expectations", "data", "exports", "none"])
    .describe("What was made wrong on purpose: the tests' expectations, their data, or the code's exports."),
  edits: count.describe("In how many places something was made wrong."),
  failed: z
    .boolean()
    .nullable()
    .describe("True if the check then failed, as it should; null if no control was possible."),
  survivors: ids.describe("Newly passing tests that passed the control as well, and so prove nothing."),
  reason: z.string().describe("What the control showed, or why there is none, in one sentence."),
});
export type ControlEvidence = z.infer<typeof ControlEvidence>;

/** How many small faults in what the change added the checks notice. A figure about the tests, no defence against cheating. */
export const StrengthEvidence = z.object({
  killed: count.describe("Small faults (mutants) that made a check fail."),
  total: count.describe("Mutants that were tried."),
  score: z.number().min(0).max(1).nullable().describe("`killed / total`, 0 to 1; null if no mutant was tried."),
  unmeasured: z
    .enum(["no_mutants", "no_check", "out_of_time"])
    .optional()
    .describe("Why there is no score: nothing to mutate, no check that runs anything, or too little time."),
  seed: count.describe("Seed of the choice of mutants. The same seed and tree give the same mutants."),
  found: count.describe("Mutants that are possible; `total` of them were tried."),
  survivors: z
    .array(
      z.object({
        path: z.string().describe("File that was mutated, relative to the workspace."),
        line: count.describe("Line of the mutant, counted from 1."),
        operator: z.string().describe("Kind of fault, such as `comparison` or `return`."),
        diff: z.string().describe("The mutant as a unified diff."),
      }),
    )
    .describe("Mutants that no check noticed."),
});
export type StrengthEvidence = z.infer<typeof StrengthEvidence>;
