import { REPAIR } from "@drydock/protocol";
import type { GoalOptions } from "../../../app/index.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { refuse } from "./refuse.ts";

export interface GoalFlags extends RunFlags {
  goal?: string;
  plan?: string;
  resume?: string;
  follow?: string;
  comment?: string[];
  workspace?: string;
  model?: string;
  apply?: GoalOptions["apply"];
  branch?: string;
  way?: GoalOptions["way"];
  thenRepair?: boolean;
  bestOf?: number;
  repairSeconds?: number;
  repairSeed?: number;
  all?: boolean;
  review?: boolean;
  budgetTokens?: number;
  budgetUsd?: number;
  staleSeconds?: number;
  staleAutoReset?: boolean;
  check?: string[];
  sufficient?: boolean;
  mayChange?: string[];
  minStrength?: number;
}

/** What is frozen into a run when it starts. */
const NOT_WITH_RESUME = [
  "follow",
  "comment",
  "workspace",
  "branch",
  "way",
  "thenRepair",
  "bestOf",
  "repairSeconds",
  "repairSeed",
  "timeout",
  "memory",
  "net",
  "policy",
  "check",
  "sufficient",
  "mayChange",
  "minStrength",
] as const;

export function refuseGoalFlags(flags: GoalFlags): void {
  const sourceCount = [flags.goal, flags.plan, flags.resume].filter((value) => value !== undefined).length;
  const hint = 'Give one of them, as in: drydock run --goal "Fix add() so that the tests pass"';
  refuse(sourceCount === 0 && flags.follow === undefined, "There is neither a goal nor a plan.", hint);
  refuse(sourceCount > 1, "Only one of --goal, --plan and --resume can be given.", hint);
  const byModel = flags.model !== undefined && flags.model !== REPAIR && flags.resume === undefined;
  refuse(
    flags.all === true && byModel && flags.thenRepair !== true,
    "--all has no effect without repair.",
    "Add --then-repair, or use --model repair.",
  );
  if (flags.resume === undefined) return;
  for (const name of NOT_WITH_RESUME) {
    refuse(
      flags[name] !== undefined,
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} can't be given with --resume.`,
      "The run keeps the value that it was started with.",
    );
  }
}

/** The checks from `--check`; with `--sufficient`, the user declares each of them sufficient. */
export async function readCheckFlags({ check = [], sufficient = false }: GoalFlags): Promise<GoalOptions["checks"]> {
  const hint = "Give a check as well, as in: drydock run --goal TEXT --check 'pytest -q' --sufficient";
  refuse(sufficient && check.length === 0, "--sufficient is about checks given with --check, and there is none.", hint);
  if (!sufficient) return check;
  const { readCheckEntry } = await import("@drydock/protocol");
  return check.map((text) => {
    const read = readCheckEntry(text);
    // What can't be read is refused where the run starts.
    return read.ok ? { ...read.check, sufficient: true } : text;
  });
}

export function readBudget({ budgetTokens, budgetUsd }: GoalFlags): GoalOptions["budget"] {
  if (budgetTokens === undefined && budgetUsd === undefined) return undefined;
  return {
    ...(budgetTokens !== undefined && { tokens: budgetTokens }),
    ...(budgetUsd !== undefined && { usd: budgetUsd }),
  };
}
