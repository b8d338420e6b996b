import type { EffectivePolicy, GoalProgress, Layer, Plan, PlanReview } from "@drydock/protocol";
import type { AskPorts } from "../models/index.ts";
import type { TreeRules, Workbench, WorkTree } from "../sandbox/index.ts";
import type { LayerShelf } from "./layer-shelf.ts";
import type { TreeRunner } from "./ports.ts";
import type { Prompts } from "./prompts/load-prompts.ts";

export interface EngineSettings {
  /** How a sub-agent works: with tools in a bounded loop, or by one answer that holds all of its writes. */
  way: "tools" | "writes";
  /** Answers of one attempt, at most. */
  maxTurns: number;
  /** How much of the files a sub-agent is shown at first. */
  contextTokens: number;
  /** How often a planner may send a plan that does not hold together. */
  planTries: number;
  /** Tasks at once. */
  concurrency: number;
  /** A task that has not moved for so long is stale; 0: never. */
  staleSeconds: number;
  staleAutoReset: boolean;
  /** What the first tasks stand on, where that is not the workspace as it is. */
  initial: Layer | null;
}

/** Everything that the engine's functions work with; app plugs it in. */
export interface EngineContext extends AskPorts {
  prompts: Prompts;
  bench: Workbench;
  layers: LayerShelf;
  runner: TreeRunner;
  policy: EffectivePolicy;
  settings: EngineSettings;
  /** The approved profile of the workspace. */
  profile: string | null;
  signal: AbortSignal;
  /** Null where the policy allows the command line. */
  commandProblem: (commandLine: string) => string | null;
  /** A word on what goes on, for whoever looks; nothing depends on it. */
  onProgress?: (progress: GoalProgress) => void;
  /** Called where a person is to see the plan before it is carried out. */
  review?: (plan: Plan) => Promise<PlanReview>;
}

/** Stops everything without ending the run: what is on record stays, and the run can be taken up again. */
export class RunPaused extends Error {
  override readonly name = "RunPaused";
  readonly data: Record<string, unknown>;

  constructor(reason: string, data: Record<string, unknown> = {}) {
    super(reason);
    this.data = { ...data, reason };
  }
}

/** The workspace as it is now with a layer on it, whatever state of the workspace the layer was made on. */
export async function openTree(
  { bench, settings }: Pick<EngineContext, "bench" | "settings">,
  layer: Layer | null,
  rules?: TreeRules,
): Promise<WorkTree> {
  if (layer === null || layer.baseHash === bench.treeHash) return bench.tree(layer, rules);
  // Made on what the first tasks stand on, by a run for which that was the workspace itself.
  const { initial } = settings;
  const stacked = initial?.baseHash === bench.treeHash ? bench.stack(initial, layer) : null;
  if (stacked) return bench.tree(stacked, rules);
  const rebased = await bench.rebase(layer);
  if (rebased.ok) return bench.tree(rebased.layer, rules);
  throw new TreeConflict(rebased.conflicts);
}

/** Changes that can't be put together. */
export class TreeConflict extends Error {
  override readonly name = "TreeConflict";
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`changed in different ways: ${paths.slice(0, 10).join(", ")}`);
    this.paths = paths;
  }
}
