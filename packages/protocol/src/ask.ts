import * as z from "zod";
import { ErrorInfo } from "./errors/errors.ts";
import { ArtifactRef } from "./exec.ts";
import { GoalUsage } from "./goal-events.ts";
import { AgentToolCall } from "./python-task.ts";

/** The answer to words: text, and what code that was run for it made. */
export const AskResult = z.object({
  ok: z.boolean().describe("True if there is an answer."),
  text: z.string().describe("The answer; empty if there is none."),
  runId: z.string().describe("Id of the run in the ledger, `run_…`."),
  sessionId: z
    .string()
    .nullable()
    .describe(
      "Id of the session that the request named; null if it named none. Code then ran in a session of its own, which is closed.",
    ),
  toolCalls: z.array(AgentToolCall).describe("Tools that the model called, in order."),
  artifacts: z.array(ArtifactRef).describe("Files that the code made, and pictures that it showed."),
  error: ErrorInfo.nullable().describe("Why there is no answer; null if there is one."),
  usage: GoalUsage.describe("Model calls, tokens and cost."),
});
export type AskResult = z.infer<typeof AskResult>;
