import { useQuery } from "@tanstack/react-query";
import { signInQuery } from "./queries.ts";

/** Whether who looks may have things done. Until that is known it is assumed: the server asks anyway. */
export function useMayRun(): boolean {
  const { data } = useQuery(signInQuery);
  return data === undefined || data.scope !== "read";
}
