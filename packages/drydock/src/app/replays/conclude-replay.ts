import type { Divergence, ReplayResult } from "@drydock/protocol";
import type { Replayed } from "./replayer.ts";

/** In the order in which one comes before the other. Steps of the run come after all of them. */
const CAUSES: readonly Divergence["cause"][] = ["record", "workspace", "extension", undefined];

/**
 * The same divergences, the cause first. What comes after it is marked as following from it, but for other places at which
 * the record was altered: each of these is a cause of its own.
 */
function orderDivergences(divergences: readonly Divergence[]): Divergence[] {
  // Sorting is stable: steps stay in the order of the record.
  const sorted = [...divergences].sort((left, right) => CAUSES.indexOf(left.cause) - CAUSES.indexOf(right.cause));
  return sorted.map((divergence, index) =>
    index === 0 || divergence.cause === "record" ? divergence : { ...divergence, follows: true },
  );
}

/** The result of a replay: what is wrong with the record comes first. */
export function concludeReplay(replayOf: string, altered: readonly Divergence[], replayed: Replayed): ReplayResult {
  const divergences = orderDivergences([...altered, ...replayed.divergences]);
  return { ...replayed, replayOf, ok: divergences.length === 0, divergences };
}
