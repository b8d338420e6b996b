import type { Plan } from "@drydock/protocol";
import type { GoalOptions, GoalResult, ResumeOptions } from "./goal-options.ts";
import type { ReplayOptions, ReplayResult } from "./replay.ts";

/** From a sentence to a verified change. */
export interface Goals {
  /** Plans, works, proves, and delivers what passed. Rejects for what can't be read; all else is a result. */
  run(options: GoalOptions): Promise<GoalResult>;
  /** Takes up a run that was paused or interrupted. One that has ended is only delivered, where that is still to be done. */
  resume(runId: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Makes a plan without carrying it out. */
  plan(options: Pick<GoalOptions, "goal" | "workspace" | "model" | "policy" | "budget" | "signal">): Promise<Plan>;
  /** Executes a run again from its recorded answers, without a model, and names every step that comes out differently. */
  replay(runId: string, options?: ReplayOptions): Promise<ReplayResult>;
  /** A new run that takes over what an old one proved and does one task, with all that depend on it, live again. */
  runFrom(runId: string, task: string, options?: ResumeOptions): Promise<GoalResult>;
  /** Asks the process that holds the run to stop after the step at hand; `resume` goes on from there. */
  pause(runId: string): Promise<void>;
  /** Ends the run, in whatever process it is. */
  cancel(runId: string): Promise<void>;
  /** Does one task of a run that has not ended again, with all that depend on it. */
  retry(runId: string, task: string): Promise<void>;
}

export type { GoalOptions, GoalResult } from "./goal-options.ts";
export type { ReplayOptions, ReplayResult } from "./replay.ts";
