import type { Divergence, Verdict } from "@drydock/protocol";
import type { GoalOptions } from "./goal-options.ts";

export interface ReplayOptions extends Pick<GoalOptions, "signal" | "onEvent" | "onProgress"> {
  /** A directory in the state in which the run found its own; default: the run's workspace. */
  workspace?: string;
}

export interface ReplayResult {
  /** The replay is a run itself. */
  runId: string;
  replayOf: string;
  ok: boolean;
  verdict: Verdict;
  treeHash: string | null;
  /** How many steps were compared. */
  steps: number;
  divergences: Divergence[];
}
