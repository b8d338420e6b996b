import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";
import { RANGES, type Range, spanOf } from "./ranges.ts";

const NOW_MS = 3000;
const PAGE = 50;

export const statusQuery = queryOptions({
  queryKey: ["operations", "status"],
  queryFn: ({ signal }) => client.status({ signal }),
  refetchInterval: NOW_MS,
});

export const historyQuery = (range: Range) =>
  queryOptions({
    queryKey: ["operations", "history", range],
    queryFn: ({ signal }) => client.runs.history(spanOf(range, new Date()), { signal }),
    refetchInterval: RANGES[range].everyMs,
    placeholderData: (before) => before,
  });

/** Tried out on demand only: it takes seconds. */
export const doctorQuery = queryOptions({
  queryKey: ["operations", "doctor"],
  queryFn: ({ signal }) => client.doctor({ signal }),
  enabled: false,
});

export const usageQuery = queryOptions({
  queryKey: ["operations", "usage"],
  queryFn: ({ signal }) => client.diskUsage({ signal }),
  staleTime: 30_000,
});

export const tokensQuery = queryOptions({
  queryKey: ["operations", "tokens"],
  queryFn: ({ signal }) => client.tokens.list({ signal }),
});

type Search = Omit<NonNullable<Parameters<typeof client.audit.search>[0]>, "limit" | "cursor">;

export const auditSearchQuery = (search: Search) =>
  infiniteQueryOptions({
    queryKey: ["operations", "audit", search],
    queryFn: ({ pageParam, signal }) => client.audit.search({ ...search, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
