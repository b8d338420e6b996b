import { EVENT_GROUPS } from "@drydock/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { createRunFeed, type FeedState, type RunFeed } from "./run-feed.ts";

/** A run's events while a page shows them. The run itself is asked for again when something changes what it says. */
export function useRunFeed(id: string): FeedState & { feed: RunFeed } {
  const feed = useMemo(() => createRunFeed(id), [id]);
  const queries = useQueryClient();
  useEffect(() => feed.start(), [feed]);
  const state = useSyncExternalStore(feed.subscribe, feed.get);
  // Output says nothing new of the run itself, and there may be much of it.
  const length = useMemo(() => state.facts.filter(({ type }) => EVENT_GROUPS[type] !== "output").length, [state.facts]);
  useEffect(() => {
    if (length > 0) void queries.invalidateQueries({ queryKey: ["run", id] });
  }, [queries, id, length]);
  return { ...state, feed };
}
