import type { Check, EffectivePolicy, StrengthEvidence } from "@drydock/protocol";
import type { TreeRunner } from "../../ports.ts";
import { describeCheckType } from "../../verify/check-types/check-types.ts";
import { accumulateServices } from "../../verify/refuse-check.ts";
import type { Mutant } from "../list-mutants.ts";
import { type MutableTree, tryMutants } from "./try-mutants.ts";

export interface MeasureStrengthOptions {
  /** On which all checks pass. */
  tree: MutableTree;
  mutants: readonly Mutant[];
  /** Number of mutants in all, and how they were sampled: part of the evidence. */
  found: number;
  seed: number;
  checks: readonly Check[];
  policy: EffectivePolicy;
  runner: TreeRunner;
  /** Sandboxes at once. Default 2. */
  concurrency?: number;
  /** What is not tried by then is left out of the figure. Default: 10 minutes. */
  budgetSeconds?: number;
  signal?: AbortSignal;
  onProgress?(progress: StrengthProgress): void;
  /** False: a fresh sandbox for each mutant, whatever the check runs. Default true. */
  isWarm?: boolean;
}

export interface StrengthProgress {
  tried: number;
  killed: number;
  total: number;
}

export interface MeasuredStrength {
  /** By all checks together: a mutant is killed where one of them fails. */
  strength: StrengthEvidence;
  /** By each check alone, in the order of the checks; null for one that runs nothing. */
  perCheck: (StrengthEvidence | null)[];
}

const BUDGET_SECONDS = 600;

/** How many mutants the checks notice together: what one check has killed is not run on the next. */
export async function measureStrength(options: MeasureStrengthOptions): Promise<StrengthEvidence> {
  const { strength } = await measure(options, false);
  return strength;
}

/** The same for each check by itself: mutants that one check has killed are run on the others as well. */
export async function measureEachCheck(options: MeasureStrengthOptions): Promise<MeasuredStrength> {
  return measure(options, true);
}

async function measure(options: MeasureStrengthOptions, forEach: boolean): Promise<MeasuredStrength> {
  const { checks, mutants, concurrency = 2, budgetSeconds = BUDGET_SECONDS, isWarm = true } = options;
  const deadline = performance.now() + budgetSeconds * 1000;
  const services = accumulateServices(checks);
  const running = checks.flatMap((check, index) => (describeCheckType(check).runs ? [{ check, index }] : []));
  const outcomes = new Map<Mutant, boolean>();
  const perCheck: (StrengthEvidence | null)[] = checks.map(() => null);
  const onTried = (mutant: Mutant, killed: boolean) => {
    outcomes.set(mutant, killed || outcomes.get(mutant) === true);
    const count = [...outcomes.values()].filter((each) => each).length;
    options.onProgress?.({ tried: outcomes.size, killed: count, total: mutants.length });
  };
  for (const { check, index } of running) {
    const todo = forEach ? mutants : mutants.filter((mutant) => outcomes.get(mutant) !== true);
    const tried = await tryMutants({
      ...options,
      check,
      mutants: todo,
      services: services[index] ?? [],
      concurrency,
      deadline,
      isWarm,
      onTried,
    });
    perCheck[index] = toEvidence(options, tried);
  }
  const strength = toEvidence(options, outcomes);
  if (mutants.length === 0 || running.length > 0) return { strength, perCheck };
  return { strength: { ...strength, unmeasured: "no_check" }, perCheck };
}

function toEvidence(
  { mutants, found, seed }: MeasureStrengthOptions,
  outcomes: ReadonlyMap<Mutant, boolean>,
): StrengthEvidence {
  const tried = mutants.filter((mutant) => outcomes.has(mutant));
  const survivors = tried.filter((mutant) => outcomes.get(mutant) === false);
  const killed = tried.length - survivors.length;
  return {
    killed,
    total: tried.length,
    score: tried.length === 0 ? null : killed / tried.length,
    seed,
    found,
    ...(tried.length === 0 && { unmeasured: mutants.length === 0 ? "no_mutants" : "out_of_time" }),
    survivors: survivors.map(({ path, line, operator, diff }) => ({ path, line, operator, diff })),
  };
}
