import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

const STATUS_MS = 4000;

export const extensionsQuery = queryOptions({
  queryKey: ["setup", "extensions"],
  queryFn: ({ signal }) => client.extensions.list({ signal }),
});

export const sourcesQuery = queryOptions({
  queryKey: ["setup", "sources"],
  queryFn: ({ signal }) => client.host.sources.list({ signal }),
  refetchInterval: STATUS_MS,
});

export const sourceTypesQuery = queryOptions({
  queryKey: ["setup", "source-types"],
  queryFn: ({ signal }) => client.host.sources.types({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const knowledgeQuery = queryOptions({
  queryKey: ["setup", "knowledge"],
  queryFn: ({ signal }) => client.knowledge.list({ signal }),
});

export const knowledgeBaseQuery = (name: string) =>
  queryOptions({
    queryKey: ["setup", "knowledge", name],
    queryFn: ({ signal }) => client.knowledge.show(name, {}, { signal }),
  });

export const upstreamsQuery = queryOptions({
  queryKey: ["setup", "upstreams"],
  queryFn: ({ signal }) => client.upstreams.list({ signal }),
});

export const pluginsQuery = queryOptions({
  queryKey: ["host", "plugins"],
  queryFn: ({ signal }) => client.host.plugins.list({ signal }),
  refetchInterval: STATUS_MS,
});

export const pluginLogQuery = (id: string) =>
  queryOptions({
    queryKey: ["host", "plugin-log", id],
    queryFn: ({ signal }) => {
      const [author = "", name = ""] = id.split("/");
      return client.host.plugins.log(author, name, { signal });
    },
    refetchInterval: STATUS_MS,
  });
