import * as z from "zod";
import { Run } from "./run.ts";

const count = z.number().int();

/** What happened to the runs that were started in one part of the time. */
export const RunPeriod = z.object({
  at: z.string().describe("When the period begins, ISO 8601 in UTC."),
  started: count.describe("Runs that were started in it."),
  succeeded: count.describe("How many of them succeeded so far."),
  failed: count.describe("How many of them failed or were lost so far."),
  medianMs: z.number().nullable().describe("Half of those that ended took no longer, in milliseconds; null: none has."),
  p95Ms: z.number().nullable().describe("95 of 100 that ended took no longer, in milliseconds; null: none has."),
  costUsd: z.number().describe("What their model calls cost in US dollars, as far as prices are known."),
  tokens: count.describe("Tokens that their models read and wrote."),
});
export type RunPeriod = z.infer<typeof RunPeriod>;

export const RunHistory = z.object({
  since: z.string().describe("When the first period begins, ISO 8601 in UTC."),
  until: z.string().describe("When the last period ends, ISO 8601 in UTC."),
  periodMs: count.describe("Length of each period, in milliseconds."),
  periods: z.array(RunPeriod).describe("The periods in their order, those without runs too."),
  failures: z
    .array(
      Run.pick({ errorCode: true }).extend({
        runs: count.describe("How many runs ended with it."),
        lastRunId: z.string().describe("The newest of them."),
      }),
    )
    .describe(
      "What runs ended with, the most frequent first, at most 20. `errorCode` is null for runs that were lost.",
    ),
  complete: z.boolean().describe("False: there are more than 100,000 runs, and the newest were looked at."),
});
export type RunHistory = z.infer<typeof RunHistory>;
