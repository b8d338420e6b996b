import { DrydockError } from "@drydock/protocol";
import type { ModelSettings } from "../models/index.ts";
import type { GoalOptions } from "./api.ts";
import type { GoalRequest } from "./goal-request.ts";

/** Default limits of a search. */
export const REPAIR_DEFAULTS: GoalRequest["repair"] = { seconds: 60, candidates: 20_000, seed: 1 };
const MAX_LANES = 16;
const MAX_SECONDS = 24 * 3600;
const REPAIR_OPTIONS = [
  ["seconds", "--repair-seconds"],
  ["seed", "--repair-seed"],
  ["candidates", "A limit of candidates"],
] as const;

type Worker = Pick<GoalRequest, "model" | "worker" | "thenRepair" | "bestOf" | "repair">;

/** Who works on the goal, and how. Where there is no model, repair does. */
export function readWorker(options: GoalOptions, settings: Pick<ModelSettings, "spec">): Worker {
  const { thenRepair = false, bestOf = 1, repair = {} } = options;
  const chosen = chooseWorker(settings);
  requireWhole("--best-of", bestOf, 1, MAX_LANES);
  refuseModelOptions(options, chosen.worker);
  if (chosen.worker === "model" && !thenRepair) {
    const lost = REPAIR_OPTIONS.find(([name]) => repair[name] !== undefined);
    if (lost) {
      const hint = "Add --then-repair, or use --model repair.";
      throw new DrydockError("input.invalid", `${lost[1]} has no effect without repair.`, hint);
    }
  }
  const bounds = { ...REPAIR_DEFAULTS, ...withoutUndefined(repair) };
  if (!(bounds.seconds > 0 && bounds.seconds <= MAX_SECONDS)) {
    const hint = `Give seconds, more than 0 and at most ${MAX_SECONDS}.`;
    throw new DrydockError("input.invalid", `${bounds.seconds} is not a valid number of seconds for a search.`, hint);
  }
  requireWhole("The number of candidates", bounds.candidates, 1, Number.MAX_SAFE_INTEGER);
  requireWhole("--repair-seed", bounds.seed, 0, Number.MAX_SAFE_INTEGER);
  return { ...chosen, thenRepair, bestOf, repair: bounds };
}

type ModelOption = "thenRepair" | "bestOf" | "way" | "budget" | "comments";

/** Refuses what only a language model could heed. */
export function refuseModelOptions(
  { thenRepair, bestOf = 1, way, budget, comments }: Pick<GoalOptions, ModelOption>,
  worker: GoalRequest["worker"],
): void {
  if (worker === "model") return;
  const modelOptions: [string, boolean][] = [
    ["--best-of", bestOf > 1],
    ["--then-repair", thenRepair === true],
    ["--way", way !== undefined],
    ["--budget-tokens", budget?.tokens !== undefined],
    ["--budget-usd", budget?.usd !== undefined],
    ["--comment", comments !== undefined],
  ];
  const lost = modelOptions.find(([, isGiven]) => isGiven);
  if (!lost) return;
  const hint = "Leave it out, or name a model with --model.";
  throw new DrydockError("input.invalid", `${lost[0]} needs a language model, but this run uses repair.`, hint);
}

export function chooseWorker({ spec }: Pick<ModelSettings, "spec">): Pick<GoalRequest, "model" | "worker"> {
  return { model: spec, worker: spec === null ? "repair" : "model" };
}

function requireWhole(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new DrydockError("input.invalid", `${what} can't be ${value}.`, `Give a whole number ${range}.`);
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
