import type { OptionNames } from "../runs/refuse-unknown-options.ts";
import type { GoalOptions, ResumeOptions } from "./api.ts";

/** What a run that is taken up can be given. */
export const RESUME_OPTIONS = {
  ...{ model: true, apply: true, budget: true, staleSeconds: true, staleAutoReset: true },
  ...{ review: true, confirm: true, signal: true, onEvent: true, onProgress: true },
} as const satisfies OptionNames<ResumeOptions>;

export const GOAL_OPTIONS = {
  ...RESUME_OPTIONS,
  ...{
    goal: true,
    plan: true,
    planSource: true,
    follow: true,
    comments: true,
    workspace: true,
    policy: true,
    way: true,
    branch: true,
  },
  ...{ thenRepair: true, bestOf: true, repair: true, checks: true, mayChange: true, minStrength: true },
  ...{ reviewPlan: true, byModel: true },
} as const satisfies OptionNames<GoalOptions>;
