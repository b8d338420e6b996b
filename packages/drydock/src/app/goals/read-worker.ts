import { DrydockError } from "@drydock/protocol";
import type { ModelSettings } from "../models/index.ts";
import type { GoalOptions } from "./api.ts";
import type { GoalRequest } from "./goal-request.ts";

/** Default limits of a search. */
export const REPAIR_DEFAULTS: GoalRequest["repair"] = { seconds: 60, candidates: 20_000, seed: 1 };
const MAX_LANES = 16;
const MAX_SECONDS = 24 * 3600;

type Worker = Pick<GoalRequest, "model" | "worker" | "thenRepair" | "bestOf" | "repair">;

/** Who works on the goal, and how. Where there is no model, repair does. */
export function readWorker(options: GoalOptions, settings: Pick<ModelSettings, "spec">): Worker {
  const { thenRepair = false, bestOf = 1, repair = {} } = options;
  const chosen = chooseWorker(settings);
  requireWhole("Attempts side by side", bestOf, 1, MAX_LANES);
  if (bestOf > 1 && chosen.worker === "repair") {
    throw new DrydockError(
      "input.invalid",
      "Best-of is for attempts of a language model, and repair works here.",
      "Leave it out: repair compares all changes that it finds. Or name a model.",
    );
  }
  const bounds = { ...REPAIR_DEFAULTS, ...withoutUndefined(repair) };
  if (!(bounds.seconds > 0 && bounds.seconds <= MAX_SECONDS)) {
    const hint = `Give seconds, more than 0 and at most ${MAX_SECONDS}.`;
    throw new DrydockError("input.invalid", `${bounds.seconds} is not a valid number of seconds for a search.`, hint);
  }
  requireWhole("Candidates of a search", bounds.candidates, 1, Number.MAX_SAFE_INTEGER);
  requireWhole("The seed of a search", bounds.seed, 0, Number.MAX_SAFE_INTEGER);
  return { ...chosen, thenRepair, bestOf, repair: bounds };
}

export function chooseWorker({ spec }: Pick<ModelSettings, "spec">): Pick<GoalRequest, "model" | "worker"> {
  return { model: spec, worker: spec === null ? "repair" : "model" };
}

function requireWhole(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new DrydockError("input.invalid", `${what}: ${value} is not possible.`, `Give a whole number ${range}.`);
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
