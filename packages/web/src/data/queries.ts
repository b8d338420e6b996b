import type { EventPageOptions } from "@drydock/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const SIGN_IN_KEY = ["sign-in"];
const PAGE = 100;
/** How often a list looks for what is new. Nothing is asked while the page is hidden. */
const LIST_MS = 3000;

type Filter = Omit<NonNullable<Parameters<typeof client.runs.list>[0]>, "limit" | "cursor">;
export type RunFilter = Partial<Filter>;

export const signInQuery = queryOptions({
  queryKey: SIGN_IN_KEY,
  queryFn: ({ signal }) => client.console.who({ signal }),
  staleTime: 60_000,
});

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => client.health({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: ["runs", "list", filter],
    queryFn: ({ pageParam, signal }) => client.runs.list({ ...filter, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });

/** The newest runs, asked for again and again: what is new is put before the pages that are there. */
export const newestRunsQuery = (filter: RunFilter) =>
  queryOptions({
    queryKey: ["runs", "newest", filter],
    queryFn: ({ signal }) => client.runs.list({ ...filter, limit: PAGE }, { signal }),
    refetchInterval: LIST_MS,
  });

export const countsQuery = (filter: RunFilter) =>
  queryOptions({
    queryKey: ["runs", "counts", filter],
    queryFn: ({ signal }) => client.runs.counts(filter, { signal }),
    refetchInterval: 5000,
  });

export const runQuery = (id: string) =>
  queryOptions({ queryKey: ["run", id], queryFn: ({ signal }) => client.runs.get(id, { signal }) });

/** What a run that is under way has printed so far. */
export const outputQuery = (id: string) =>
  queryOptions({
    queryKey: ["run", id, "output"],
    queryFn: ({ signal }) => client.runs.output(id, { signal }),
    refetchInterval: 1000,
  });

export const diffQuery = (id: string) =>
  queryOptions({ queryKey: ["run", id, "diff"], queryFn: ({ signal }) => client.runs.diff(id, { signal }) });

export const artifactsQuery = (id: string) =>
  queryOptions({ queryKey: ["run", id, "artifacts"], queryFn: ({ signal }) => client.runs.artifacts(id, { signal }) });

export const artifactTextQuery = (id: string, size: number) =>
  queryOptions({
    queryKey: ["artifact", id],
    queryFn: async ({ signal }) =>
      new TextDecoder().decode(await client.readArtifact(id, { start: 0, end: size }, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const auditQuery = queryOptions({
  queryKey: ["audit"],
  queryFn: ({ signal }) => client.audit.verify({}, { signal }),
  enabled: false,
});

/** One page of a run's events, from either end. */
export function readEvents(id: string, { groups, ...page }: EventPageOptions, signal?: AbortSignal) {
  return client.runs.events(id, { ...page, groups: groups?.join(",") }, { signal });
}
