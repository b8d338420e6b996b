import type { Check, EffectivePolicy } from "@drydock/protocol";
import { createPathRules } from "../../../policy/index.ts";
import type { TreeRunner } from "../../ports.ts";
import { recognizeCommand } from "../../source/recognize-command.ts";
import { applySplices } from "../../source/splice.ts";
import { describeCheckType, isRunning } from "../../verify/check-types/check-types.ts";
import { judgeCheck } from "../../verify/judge-check.ts";
import type { JudgeContext } from "../../verify/judge-context.ts";
import type { JudgedTree } from "../../verify/judged-tree.ts";
import type { Mutant } from "../list-mutants.ts";
import { runWarm } from "./run-warm.ts";
import { throwIfCancelled } from "./throw-if-cancelled.ts";

/** A tree of which changed versions can be made. */
export type MutableTree = JudgedTree & Required<Pick<JudgedTree, "edit">>;

export interface TryMutantsOptions {
  tree: MutableTree;
  check: Check;
  mutants: readonly Mutant[];
  policy: EffectivePolicy;
  runner: TreeRunner;
  /** Command lines of services that earlier checks of the list started. */
  services: readonly string[];
  /** Sandboxes at once. */
  concurrency: number;
  /** As `performance.now()` counts: nothing is begun after it. */
  deadline: number;
  /** False: each mutant is run by itself, even where one process could run many. */
  isWarm: boolean;
  signal?: AbortSignal;
  onTried?(mutant: Mutant, killed: boolean): void;
}

/** How much longer than without a mutant a run may take: what takes longer counts as noticed. */
const SLOWER = 3;
const EXTRA_SECONDS = 2;

/**
 * Runs one check on each mutant. A mutant is killed where the check fails. What is not in the result was not tried: the
 * time was over, or the check fails without a mutant as well.
 */
export async function tryMutants(options: TryMutantsOptions): Promise<Map<Mutant, boolean>> {
  const outcomes = new Map<Mutant, boolean>();
  const note = (mutant: Mutant, killed: boolean) => {
    outcomes.set(mutant, killed);
    options.onTried?.(mutant, killed);
  };
  const todo = [...options.mutants];
  if (todo.length === 0) return outcomes;
  const command = options.isWarm ? await recognizeCommand(options.check, options.tree) : null;
  const left = command ? await runWarm({ ...options, command, mutants: todo }, note) : todo;
  if (left.length > 0) await runAlone({ ...options, mutants: left }, note);
  return outcomes;
}

/** One fresh sandbox for each mutant. */
async function runAlone(options: TryMutantsOptions, note: (mutant: Mutant, killed: boolean) => void): Promise<void> {
  const { check, tree, mutants, concurrency, deadline, signal } = options;
  const context = createContext(options);
  const since = performance.now();
  const untouched = await judgeCheck(check, { ...context, tree });
  if (untouched.verdict !== "passed") return;
  const seconds = ((performance.now() - since) / 1000) * SLOWER + EXTRA_SECONDS;
  const hurried = withTimeout(check, seconds);
  const todo = mutants.values();
  const work = async () => {
    for (const mutant of todo) {
      if (performance.now() > deadline) return;
      throwIfCancelled(signal);
      const text = (await tree.read(mutant.path))?.toString();
      if (text === undefined) continue;
      const content = Buffer.from(applySplices(text, [mutant.splice]));
      const mutated = await tree.edit([{ path: mutant.path, content }]);
      const { verdict } = await judgeCheck(hurried, { ...context, tree: mutated });
      note(mutant, verdict !== "passed");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

function createContext({ tree, policy, runner, services, signal, check }: TryMutantsOptions): JudgeContext {
  // The status is the same, and the first failure is enough. What is printed is not.
  const stopsEarly = describeCheckType(check).isJudgedByStatus && !policy.environment.allow.includes("PYTEST_ADDOPTS");
  const environment: Record<string, string> = stopsEarly ? { PYTEST_ADDOPTS: "-x" } : {};
  return {
    tree,
    before: null,
    policy,
    rules: createPathRules(policy),
    runner: { run: (run) => runner.run({ ...run, environment: { ...run.environment, ...environment } }) },
    signal,
    services,
    noteChanged: () => {},
  };
}

function withTimeout(check: Check, seconds: number): Check {
  return isRunning(check) ? { ...check, timeout: Math.min(check.timeout ?? seconds, seconds) } : check;
}
