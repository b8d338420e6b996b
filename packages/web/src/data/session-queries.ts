import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** Sessions that are open in this server. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => client.sessions.list({ signal }),
  refetchInterval: 5000,
});
