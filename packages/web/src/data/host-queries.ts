import type { HostEventInput } from "@drydock/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

const PAGE = 50;
const LIST_MS = 4000;

export const agentsQuery = queryOptions({
  queryKey: ["host", "agents"],
  queryFn: ({ signal }) => client.host.agents.list({ signal }),
});

export const conversationsQuery = infiniteQueryOptions({
  queryKey: ["conversations"],
  queryFn: ({ pageParam, signal }) => client.host.conversations.list({ limit: PAGE, cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
  refetchInterval: LIST_MS,
});

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => client.host.conversations.get(id, { signal }),
    enabled: id !== "",
  });

/** The newest page first; each further one is older. */
export const transcriptQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["conversation", id, "messages"],
    queryFn: ({ pageParam, signal }) =>
      client.host.conversations.messages(id, { limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    enabled: id !== "",
  });

/** How the newest events of a conversation were taken. */
export const hostEventsQuery = (id: string) =>
  queryOptions({
    queryKey: ["conversation", id, "events"],
    queryFn: ({ signal }) => client.host.events.list({ conversation: id, limit: 100 }, { signal }),
    enabled: id !== "",
  });

/** Which binding an event would take. Nothing is recorded for it. */
export const routeQuery = (event: HostEventInput) =>
  queryOptions({
    queryKey: ["route", event],
    queryFn: ({ signal }) => client.host.events.route(event, { signal }),
  });

export const bindingsQuery = queryOptions({
  queryKey: ["host", "bindings"],
  queryFn: ({ signal }) => client.host.bindings.list({ signal }),
});

/** Plugins with their processes as they are now, and what went wrong. */
export const hostStatusQuery = queryOptions({
  queryKey: ["host", "status"],
  queryFn: ({ signal }) => client.host.status({ signal }),
  refetchInterval: LIST_MS,
});
