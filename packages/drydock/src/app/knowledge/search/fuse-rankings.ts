import type { FoundChunk } from "../../../ledger/index.ts";

/** The usual constant of reciprocal rank fusion: how little the first places count more than the next ones. */
const SMOOTHING = 60;

/** One ranking of several whose scores can't be compared: only the places count. */
export function fuseRankings(rankings: readonly (readonly FoundChunk[])[], limit: number): FoundChunk[] {
  const fused = new Map<number, FoundChunk>();
  for (const ranking of rankings)
    for (const [index, chunk] of ranking.entries()) {
      const score = 1 / (SMOOTHING + index + 1) + (fused.get(chunk.chunk)?.score ?? 0);
      fused.set(chunk.chunk, { ...chunk, score });
    }
  return [...fused.values()].sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}
