import * as z from "zod";
import { ExecResult } from "./exec.ts";

const step = z.number().int();

/** What one step of a session gives. */
export const StepResult = ExecResult.extend({
  sessionId: z.string().describe("Id of the session, `ses_…`, as it was given when the session was opened."),
  step: step.describe("Number of the step, counted from 1; 0 is the state before the first."),
  kept: z.array(step).describe("Steps that a rollback can return to; 0 is the state before the first step."),
  variables: z.record(z.string(), z.string()).describe("Names and types of the variables after the step. Python only."),
});
export type StepResult = z.infer<typeof StepResult>;
