import type { PlanTask } from "@drydock/protocol";
import type { EngineSettings } from "../engine-context.ts";
import type { AttemptTurn } from "./try-attempt.ts";

/**
 * Attempts of one worker. A lane is a sequence of attempts, and each attempt gets the errors of the one before it.
 * Lanes run in parallel and do not know of each other.
 */
export interface Series {
  worker: AttemptTurn["worker"];
  lanes: number;
  rounds: number;
  /** The number of its first attempt. */
  first: number;
}

/** Who works on a task, one after the other. */
export function listSeries(
  { worker, thenRepair, bestOf }: Pick<EngineSettings, "worker" | "thenRepair" | "bestOf">,
  { attempts }: Pick<PlanTask, "attempts">,
): Series[] {
  const repair = { worker: "repair", lanes: 1, rounds: attempts } as const;
  if (worker === "repair") return [{ ...repair, first: 1 }];
  const model = { worker: "model", lanes: bestOf, rounds: attempts, first: 1 } as const;
  return thenRepair ? [model, { ...repair, first: model.lanes * model.rounds + 1 }] : [model];
}

/** The turns of one round, a turn for each lane. */
export function listTurns({ worker, lanes, first }: Series, round: number): AttemptTurn[] {
  return Array.from({ length: lanes }, (_, lane) => {
    const attempt = first + round * lanes + lane;
    return { attempt, worker, after: round === 0 ? null : attempt - lanes };
  });
}
