import { useQuery } from "@tanstack/react-query";
import { signInQuery } from "./queries.ts";

/** Whether who looks may decide and change. Until that is known it is assumed: the server asks anyway. */
export function useIsOwner(): boolean {
  const { data } = useQuery(signInQuery);
  return data === undefined || data.scope === "admin";
}
