import * as z from "zod";

/** Who asked for a check. A model writes `plan` checks; only the others are a person's word. */
export const CheckSource = z.enum(["plan", "user", "owner", "workspace"]);
export type CheckSource = z.infer<typeof CheckSource>;

export const TEST_RUNNERS = ["pytest", "unittest", "node", "jest", "vitest", "mocha", "junit"] as const;
export const TestRunner = z.enum(TEST_RUNNERS);
export type TestRunner = z.infer<typeof TestRunner>;

/** `expected`: marked as expected to fail, and it failed. */
export const TestOutcome = z.enum(["passed", "failed", "skipped", "expected"]);
export type TestOutcome = z.infer<typeof TestOutcome>;

const ids = z.array(z.string());

/**
 * What a check's test runner reported, test by test, compared with the untouched tree. The lists are cut to 200 ids;
 * `counts` are of all.
 */
export const TestEvidence = z.object({
  runners: z.array(TestRunner),
  /** Whether the runner reported its own end. */
  complete: z.boolean(),
  counts: z.object({
    newlyPassing: z.number().int(),
    stillPassing: z.number().int(),
    newlyFailing: z.number().int(),
    stillFailing: z.number().int(),
    /** Reported on the untouched tree, and not on this one. */
    missing: z.number().int(),
    /** Run on the untouched tree; skipped, deselected or expected to fail on this one. */
    skipped: z.number().int(),
    /** Reported on this tree only. */
    added: z.number().int(),
  }),
  newlyPassing: ids,
  newlyFailing: ids,
  stillFailing: ids,
  missing: ids,
  skipped: ids,
  added: ids,
});
export type TestEvidence = z.infer<typeof TestEvidence>;

/** The negative control: the source stays, and what the tests expect is spoiled. A check that still passes proves nothing. */
export const ControlEvidence = z.object({
  /** What was spoiled; `none`: nothing could be, and `reason` says why. */
  kind: z.enum(["expectations", "data", "exports", "none"]),
  /** How many places. */
  edits: z.number().int(),
  /** Whether the check failed, as it should. Null where no control could be made. */
  failed: z.boolean().nullable(),
  /** Newly passing tests that pass under the control as well. */
  survivors: ids,
  reason: z.string(),
});
export type ControlEvidence = z.infer<typeof ControlEvidence>;

/** How many small faults in what the change added the checks notice. A figure about the tests, no defence against cheating. */
export const StrengthEvidence = z.object({
  killed: z.number().int(),
  total: z.number().int(),
  /** `killed / total`; null where no mutant was tried. */
  score: z.number().min(0).max(1).nullable(),
  /** Why there is no score: nothing to mutate in what was asked for, no check that runs anything, or too little time. */
  unmeasured: z.enum(["no_mutants", "no_check", "out_of_time"]).optional(),
  seed: z.number().int(),
  /** Mutants that there are; `total` is how many of them were tried. */
  found: z.number().int(),
  survivors: z.array(z.object({ path: z.string(), line: z.number().int(), operator: z.string(), diff: z.string() })),
});
export type StrengthEvidence = z.infer<typeof StrengthEvidence>;
