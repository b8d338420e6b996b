import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { statusOf } from "./client.ts";
import { onConnection } from "./connection.ts";

const RETRIES = 2;
let onSignedOut = () => {};

/** Called where the server knows this browser no more. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

function notice(error: unknown): void {
  if (statusOf(error) === 401) onSignedOut();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    // Whether the machine has a network says nothing about a server on it.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 2000,
      // What the server has refused it refuses again.
      retry: (failures, error) => statusOf(error) === null && failures < RETRIES,
    },
  },
});

onConnection((state) => {
  if (state === "open") void queryClient.invalidateQueries();
});
