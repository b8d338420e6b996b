import * as z from "zod";

/** What `--model` takes in the place of a model. */
export const REPAIR = "repair";
/** How the worker is shown. It is never shown as a model. */
export const REPAIR_NAME = "repair (search, no language model)";

/** How many tests pass and fail. */
const testCounts = z.object({ passing: z.number().int(), failing: z.number().int() });

/** One change that a search tried, for people. */
export const RepairChange = z.object({
  candidate: z.number().int().describe("Its place in the ranking, from 1."),
  edits: z.number().int().describe("Places that it changes."),
  summary: z.string().describe("What it changes, in a few words."),
  diff: z.string().describe("Unified diff, cut where it is long."),
  tests: testCounts.describe("Tests that pass and fail with it, of those that the search ran."),
  group: z
    .number()
    .int()
    .nullable()
    .describe(
      "Changes of the same group gave the same results on inputs made from those of the tests. Null: not tried.",
    ),
  strength: z
    .object({ killed: z.number().int(), total: z.number().int() })
    .nullable()
    .default(null)
    .describe("Small faults put into what it wrote, and how many of them the tests notice. Null: not measured."),
});
export type RepairChange = z.infer<typeof RepairChange>;

export const RepairDiffer = z.object({
  input: z.string().describe("A call as source text, such as `gcd(0, 4)`."),
  results: z
    .array(z.object({ candidate: z.number().int(), result: z.string() }))
    .describe("What each change returns for it, by its place in the ranking."),
});
export type RepairDiffer = z.infer<typeof RepairDiffer>;

/**
 * `found`: at least one repair. `exhausted`: no candidate is left. `time`, `limit`: there was time for no more candidates, or
 * no more may be tried. `unconfirmed`: some pass one test after the other, and none the whole command. `cannot`, `unable`:
 * the search could not begin, or broke off; the reason says why.
 */
export const RepairStopped = z.enum([
  "found",
  "exhausted",
  "time",
  "limit",
  "unconfirmed",
  "unable",
  "cancelled",
  "cannot",
]);
export type RepairStopped = z.infer<typeof RepairStopped>;

/** What a search came to, bounded in size. */
export const RepairSummary = z.object({
  tried: z.number().int().describe("Candidates that were tried."),
  seconds: z.number().describe("How long the search took."),
  stopped: RepairStopped.describe("Why the search ended."),
  reason: z.string().describe("Why there was nothing to search, or no way to do or to end it; else empty."),
  suspects: z
    .array(z.string())
    .describe("The most suspicious lines, as `PATH:LINE`, the first is the most suspicious."),
  found: z.number().int().describe("Changes that pass all tests, also in a fresh sandbox. At most 6."),
  unconfirmed: z
    .number()
    .int()
    .default(0)
    .describe("Further changes that passed in the search, and were not run in a fresh sandbox."),
  changes: z.array(RepairChange).describe("The changes that were found, the best first."),
  best: RepairChange.nullable().describe("The change with the most passing tests, where none passes all of them."),
  differ: RepairDiffer.nullable().describe("An input on which the changes differ: a test that is missing."),
});
export type RepairSummary = z.infer<typeof RepairSummary>;

const ofTask = { key: z.string(), task: z.string() };

export const RepairFinished = RepairSummary.extend({
  ...ofTask,
  /** A hash under which the content store holds the changes in full. */
  outcome: z.string(),
});
export type RepairFinished = z.infer<typeof RepairFinished>;

export const RepairPhase = z.enum(["baseline", "localise", "search", "compare"]);
export type RepairPhase = z.infer<typeof RepairPhase>;

/** The progress of a search. Recorded from time to time, for readers of the events. */
export const RepairProgressed = z.object({
  ...ofTask,
  phase: RepairPhase,
  tried: z.number().int(),
  perSecond: z.number(),
  best: testCounts.extend({ diff: z.string() }).nullable(),
  found: z.number().int(),
});
export type RepairProgressed = z.infer<typeof RepairProgressed>;

/** What repair did for a task, as a result tells it. */
export const RepairReport = RepairSummary.extend({
  task: z.string().describe("Id of the task."),
  chosen: z.number().int().nullable().describe("The change that was verified and taken, by its place; null: none."),
  refused: z.number().int().describe("Changes that the verifier refused before it."),
});
export type RepairReport = z.infer<typeof RepairReport>;
