import type { RunSummary } from "@drydock/protocol";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { newestRunsQuery, type RunFilter, runsQuery } from "../../data/queries.ts";

/** The runs that fit, the newest first: pages as far as they were scrolled to, and in front of them what is new. */
export function useRuns(filter: RunFilter) {
  const pages = useInfiniteQuery(runsQuery(filter));
  const { data: newest } = useQuery(newestRunsQuery(filter));
  const { data, refetch } = pages;
  const older = useMemo(() => data?.pages.flatMap(({ runs }) => runs) ?? [], [data]);
  const runs = useMemo(() => joinRuns(newest, older), [newest, older]);
  const hasGap = newest !== undefined && older.length > 0 && !newest.runs.some(({ id }) => id === older[0]?.id);
  const isFull = newest !== undefined && newest.cursor !== null;
  useEffect(() => {
    // More came at once than a page has: between the two there may be some that neither has.
    if (hasGap && isFull) void refetch();
  }, [hasGap, isFull, refetch]);
  return { ...pages, runs };
}

interface NewestRuns {
  runs: readonly RunSummary[];
  cursor: string | null;
}

/** What was read last says what holds, as far back as it goes: a run that fits no more may still be in an older page. */
export function joinRuns(newest: NewestRuns | undefined, older: readonly RunSummary[]): readonly RunSummary[] {
  if (!newest) return older;
  const oldest = newest.runs.at(-1);
  if (newest.cursor === null || !oldest) return newest.runs;
  return [...newest.runs, ...older.filter(({ id }) => id < oldest.id)];
}
