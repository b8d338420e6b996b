import {
  DrydockError,
  type EffectivePolicy,
  type GoalProgress,
  type Layer,
  type Plan,
  type PlanReview,
  type RequiredCheck,
} from "@drydock/protocol";
import type { AskPorts } from "../models/index.ts";
import type { TreeRules, Workbench, WorkTree } from "../sandbox/index.ts";
import type { LayerCache } from "./layer-cache.ts";
import type { TreeRunner } from "./ports.ts";
import type { Prompts } from "./prompts/load-prompts.ts";
import type { RepairCandidate, RepairOutcome, RepairRequest } from "./repair/index.ts";
import type { RecordStore } from "./verify/index.ts";

/** What a run takes over of the one that it follows. */
export interface FollowedWork {
  /** Its result, where that was not delivered: the first tasks start from it, and it is judged as part of their change. */
  layer: Layer | null;
  /** The part of it that goes into prompts. */
  account: string;
  /** Changes that its search has on record, for a run that searches as well. They are taken up in the place of the layer. */
  repairs: readonly RepairCandidate[];
}

/** Bounds of a search for a repair. */
export interface RepairSettings {
  seed: number;
  seconds: number;
  candidates: number;
}

export interface EngineSettings {
  /** Who works on tasks: a language model, or the search for a repair. */
  worker: "model" | "repair";
  /** Whether a search for a repair follows where the model's last attempt failed. */
  thenRepair: boolean;
  /** Attempts of a model side by side. */
  bestOf: number;
  repair: RepairSettings;
  /** How a sub-agent works: with tools in a bounded loop, or by one answer that holds all of its writes. */
  way: "tools" | "writes";
  /** Answers of one attempt, at most. */
  maxTurns: number;
  /** How much of the files a sub-agent is shown at first. */
  contextTokens: number;
  /** How often a planner may send a plan that is not valid. */
  planTries: number;
  /** Tasks at once. */
  concurrency: number;
  /** A task that has not moved for so long is stale; 0: never. */
  staleSeconds: number;
  staleAutoReset: boolean;
  /** The untouched tree, where that is not the workspace as it is. */
  initial: Layer | null;
  /** The run that this one follows; null: none. */
  followed: FollowedWork | null;
  /** What people require of the whole result. No plan can replace or weaken it. */
  required: readonly RequiredCheck[];
  /** Globs of tests and their inputs that the user lets the run change. */
  mayChange: readonly string[];
  /** Whether a person wrote the plan, or approved or edited it in a review. False for a planner's own. */
  planIsUsers: boolean;
  /** The smallest share of small faults that the checks must notice, 0 to 1; null: it is not demanded. */
  minStrength: number | null;
}

/** Everything that the engine's functions work with; app plugs it in. */
export interface EngineContext extends AskPorts {
  prompts: Prompts;
  workbench: Workbench;
  layers: LayerCache;
  runner: TreeRunner;
  /** Records of untouched trees, by check. */
  records: RecordStore;
  policy: EffectivePolicy;
  settings: EngineSettings;
  /** The approved profile of the workspace. */
  profile: string | null;
  signal: AbortSignal;
  /** Null where the policy allows the command line. */
  commandProblem: (commandLine: string) => string | null;
  /** Searches for a repair; a replay finds what was recorded under the key. */
  searchRepair(key: string, request: RepairRequest): Promise<RepairOutcome>;
  /** Progress for display only. */
  onProgress?: (progress: GoalProgress) => void;
  /** Called where a person is to see the plan before it is carried out. `later`: the run pauses with the plan on record. */
  review?: (plan: Plan) => Promise<PlanReview | "later" | undefined>;
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

const MAX_RENEWALS = 3;

/** A tree and the one it was made from, over the state of the workspace that is named. */
export interface OpenTrees {
  over: string;
  tree: WorkTree;
  base: WorkTree;
}

/**
 * Does something on a tree and the one that it was made from, both over one state of the workspace. Where somebody changes
 * that meanwhile, it is done again over what it is then, a bounded number of times.
 */
export async function withStableTrees<T>(
  context: Pick<EngineContext, "workbench" | "settings">,
  layers: { layer: Layer | null; base: Layer | null },
  rules: TreeRules,
  act: (tree: WorkTree, base: WorkTree) => Promise<T>,
  /** Both as they were opened before: they serve where the workspace is still the same. */
  atHand?: OpenTrees | null,
): Promise<T> {
  for (let renewals = 0; ; renewals++) {
    try {
      if (atHand && renewals === 0 && atHand.over === context.workbench.treeHash) {
        return await act(atHand.tree, atHand.base);
      }
      const over = context.workbench.treeHash;
      const tree = await openTree(context, layers.layer, rules);
      const base = await openTree(context, layers.base, rules);
      // Another task may have looked at the directory in between.
      if (context.workbench.treeHash === over || renewals === MAX_RENEWALS) return await act(tree, base);
    } catch (error) {
      if (!isMovedBase(error) || renewals === MAX_RENEWALS) throw error;
      await context.workbench.refresh();
    }
  }
}

/** Whether what is at hand is no longer what lies in the workspace; one that can't be rebased is more than that. */
export function isMovedBase(error: unknown): boolean {
  return error instanceof DrydockError && error.code === "delivery.conflict" && error.data.conflicts === undefined;
}

/** The workspace as it is now with a layer on it, whatever state of the workspace the layer was made on. */
export async function openTree(
  { workbench, settings }: { workbench: Workbench; settings: Pick<EngineSettings, "initial"> },
  layer: Layer | null,
  rules?: TreeRules,
): Promise<WorkTree> {
  if (layer === null || layer.baseHash === workbench.treeHash) return workbench.tree(layer, rules);
  // Made on the untouched tree, by a run for which that was the workspace itself.
  const { initial } = settings;
  const stacked = initial?.baseHash === workbench.treeHash ? workbench.stack(initial, layer) : null;
  if (stacked) return workbench.tree(stacked, rules);
  const rebased = await workbench.rebase(layer);
  if (rebased.ok) return workbench.tree(rebased.layer, rules);
  throw new DrydockError(
    "delivery.conflict",
    `The workspace changed in the same places while the run was working: ${rebased.conflicts.slice(0, 10).join(", ")}.`,
    "Run it again: it starts from the current files. Its earlier work stays in its record.",
    { conflicts: rebased.conflicts.slice(0, 50) },
  );
}
