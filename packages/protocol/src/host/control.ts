import * as z from "zod";
import { ErrorInfo } from "../errors/errors.ts";
import { Run } from "../run/run.ts";
import { Message, RunnerUsage } from "../runner/index.ts";
import { HostEvent } from "./event.ts";

const MAX_RESULTS = 100;
const token = z.string().min(1).max(200).describe("What `POST /host/runs` gave for this run.");

/** A run that somebody outside carries out, in the place of the agent's runner. */
export const NewControlledRun = z.strictObject({
  agent: z.string().min(1).describe("Name of the agent whose grants the run gets."),
  event: HostEvent.describe("The event that the run answers."),
});
export type NewControlledRun = z.input<typeof NewControlledRun>;

export const ControlledRun = z.object({
  runId: z.string().describe("Id of the run, `run_…`."),
  eventId: z.string().describe("Id of the event, `evt_…`."),
  token: z.string().describe("Needed to append results and to finalize the run. It is shown this once."),
  deadlineAt: z.string().describe("When the run ends with `runner.timeout`, ISO 8601 in UTC."),
});
export type ControlledRun = z.infer<typeof ControlledRun>;

/** One result, as a runner sends it, with its number. */
const NumberedResult = z.strictObject({
  sequence: z
    .number()
    .int()
    .min(1)
    .describe("Number of the result in its run, from 1. One that came before is not applied again."),
  type: z.string().min(1).max(100).describe("Type of the result, such as `message.delta` or `run.completed`."),
  data: z.record(z.string(), z.unknown()).default({}).describe("What the result carries, by its type."),
});

export const AppendResults = z.strictObject({
  token,
  results: z.array(NumberedResult).min(1).max(MAX_RESULTS).describe("Results in their order, at most 100."),
});
export type AppendResults = z.input<typeof AppendResults>;

export const FinalizeRun = z.strictObject({
  token,
  status: z.enum(["completed", "failed"]).describe("How the run ended."),
  finish_reason: z.string().min(1).max(100).default("stop").describe("Why it completed. Default: `stop`."),
  message: Message.nullish().describe("The answer, where no message was appended before."),
  usage: RunnerUsage.optional().describe("Tokens that models have used, where they are known."),
  code: z.string().min(1).max(100).default("failed").describe("Code of the failure, in the caller's own words."),
  error: z.string().max(10_000).default("").describe("What went wrong, in one sentence."),
  retryable: z.boolean().default(false).describe("Whether the same event may succeed later."),
});
export type FinalizeRun = z.input<typeof FinalizeRun>;

/** How a controlled run stands after a call. */
export const ControlledState = z.object({
  runId: z.string().describe("Id of the run, `run_…`."),
  ended: z.boolean().describe("Whether the run has ended."),
  ok: z.boolean().nullable().describe("Whether it succeeded; null while it is under way."),
  error: ErrorInfo.nullable().describe("What ended it; null if nothing went wrong."),
  applied: z.number().int().describe("How many results of this call were new."),
  repeated: z.number().int().describe("How many came before, and were not applied again."),
  warnings: z.array(z.string()).describe("What was wrong with results of this run so far."),
});
export type ControlledState = z.infer<typeof ControlledState>;

/** A run of an agent, with what it belongs to. */
export const HostRun = Run.extend({
  eventId: z.string().nullable().describe("Id of the event that it answers."),
  agent: z.string().nullable().describe("Name of the agent."),
  runner: z.string().nullable().describe("Id of the runner that the agent had."),
  binding: z.string().nullable().describe("Id of the binding that was taken; null if the agent was named."),
  conversation: z.string().nullable().describe("Id of the conversation, `cnv_…`; null if it has none."),
  controlled: z.boolean().describe("Whether it is carried out from outside, by `POST /host/runs/{id}/results`."),
  error: ErrorInfo.nullable().describe("What ended the run; null if nothing went wrong."),
});
export type HostRun = z.infer<typeof HostRun>;
