import * as z from "zod";
import { ExecResult } from "./exec.ts";

const step = z.number().int();

/** What one step of a session gives. */
export const StepResult = ExecResult.extend({
  sessionId: z.string().describe("Id of the session, `ses_…`. Opening the session gave it."),
  step: step.describe("Number of the step, counted from 1; 0 is the state before the first."),
  kept: z.array(step).describe("Steps whose states are kept; 0 is the state before the first step."),
  variables: z.record(z.string(), z.string()).describe("Names and types of the variables after the step. Python only."),
});
export type StepResult = z.infer<typeof StepResult>;

/** What a return to an earlier step gives. */
export const Rollback = z.object({
  ...StepResult.pick({ kept: true }).shape,
  step: step.describe("The step whose state the session has now; 0 is the state before the first."),
  how: z
    .enum(["kept", "rebuilt"])
    .describe("`kept`: the state was still there. `rebuilt`: the recorded steps ran again."),
  notes: z.array(z.string()).describe("Remarks that are not errors. One is that a step gave another output."),
});
export type Rollback = z.infer<typeof Rollback>;
