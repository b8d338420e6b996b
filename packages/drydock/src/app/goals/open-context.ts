import { availableParallelism } from "node:os";
import {
  createLayerCache,
  type EngineContext,
  type EngineSettings,
  loadPrompts,
  loadRepair,
} from "../../engine/index.ts";
import { describeCommands, loadShellCheck, permitsEveryCommand } from "../../policy/index.ts";
import { openDocuments } from "../runs/open-journal.ts";
import { createTreeRunner } from "../runs/run-on-tree.ts";
import type { GoalRun } from "./continue-run.ts";
import type { GoalPorts } from "./goal-ports.ts";
import { readConditions } from "./record-conditions.ts";
import { openRecordStore } from "./record-store.ts";

const CONTEXT_TOKENS = 24_000;
const MAX_TURNS = 40;
const PLAN_TRIES = 3;

type ContextParts = Pick<EngineContext, "journal" | "workbench" | "signal"> &
  Pick<EngineSettings, "initial" | "followed"> & { notes: Set<string> };

/** Everything that the engine's functions work with, for one run. */
export async function openContext(
  ports: GoalPorts,
  run: GoalRun,
  { initial, followed, notes, ...parts }: ContextParts,
): Promise<EngineContext> {
  const { runId, workspace, policy, request, watch } = run;
  const { checkShell } = await loadShellCheck();
  const documents = openDocuments(ports.ledger, runId);
  const { concurrency } = policy.limits;
  // Each sandbox of a search keeps a processor busy.
  const lanes = Math.max(1, Math.min(availableParallelism(), concurrency));
  const runner = createTreeRunner(ports, { runId, workspace, policy, notes });
  return {
    ...parts,
    policy,
    documents,
    layers: createLayerCache(documents),
    model: await run.openModel(parts.journal.events()),
    prompts: loadPrompts(ports.promptsDirectory),
    runner,
    searchRepair:
      run.searchRepair ??
      (async (_key, wanted) => (await loadRepair()).searchRepair(wanted, { runner, policy, concurrency: lanes })),
    records: openRecordStore(ports.recordsDirectory, () => readConditions(ports, policy)),
    profile: await ports.approvedProfile(workspace),
    now: () => Date.now(),
    checkpoint: () => parts.signal.throwIfAborted(),
    commandProblem: (line) => {
      if (permitsEveryCommand(policy.commands)) return null;
      const checked = checkShell(policy.commands, line);
      if (checked.ok) return null;
      return `The command ${checked.command || line} is not allowed: ${checked.reason}. ${describeCommands(policy.commands)}`;
    },
    onProgress: watch.onProgress,
    // A plan that needs a review still waits for one when another process resumes the run.
    review: async (plan) => (await watch.review?.(plan)) ?? (request.reviewPlan ? "later" : undefined),
    settings: {
      worker: request.worker,
      thenRepair: request.thenRepair,
      bestOf: request.bestOf,
      repair: request.repair,
      way: request.way,
      maxTurns: MAX_TURNS,
      contextTokens: CONTEXT_TOKENS,
      planTries: PLAN_TRIES,
      concurrency,
      staleSeconds: request.staleSeconds,
      staleAutoReset: request.staleAutoReset,
      initial,
      followed,
      required: request.checks,
      mayChange: request.mayChange,
      planIsUsers: request.plan !== null && !request.byModel,
      minStrength: request.minStrength,
    },
  };
}
