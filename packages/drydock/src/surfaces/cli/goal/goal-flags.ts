import type { GoalOptions } from "../../../app/index.ts";
import type { RunFlags } from "../read-run-policy.ts";
import { refuse } from "./refuse.ts";

export interface GoalFlags extends RunFlags {
  goal?: string;
  plan?: string;
  resume?: string;
  workspace?: string;
  model?: string;
  apply?: GoalOptions["apply"];
  branch?: string;
  way?: GoalOptions["way"];
  review?: boolean;
  budgetTokens?: number;
  budgetUsd?: number;
  staleSeconds?: number;
  staleAutoReset?: boolean;
}

/** What is frozen into a run when it starts. */
const NOT_WITH_RESUME = ["workspace", "branch", "way", "timeout", "memory", "net", "policy"] as const;

export function refuseGoalFlags(flags: GoalFlags): void {
  const given = [flags.goal, flags.plan, flags.resume].filter((value) => value !== undefined).length;
  const hint = 'Give one of them, as in: drydock run --goal "Fix add() so that the tests pass"';
  refuse(given === 0, "There is neither a goal nor a plan.", hint);
  refuse(given > 1, "Only one of --goal, --plan and --resume can be given.", hint);
  if (flags.resume === undefined) return;
  for (const name of NOT_WITH_RESUME) {
    refuse(
      flags[name] !== undefined,
      `--${name} can't be given with --resume.`,
      "It is as it was when the run started.",
    );
  }
}

export function readBudget({ budgetTokens, budgetUsd }: GoalFlags): GoalOptions["budget"] {
  if (budgetTokens === undefined && budgetUsd === undefined) return undefined;
  return {
    ...(budgetTokens !== undefined && { tokens: budgetTokens }),
    ...(budgetUsd !== undefined && { usd: budgetUsd }),
  };
}
