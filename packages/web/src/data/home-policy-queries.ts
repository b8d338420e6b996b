import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** How often the file is looked at: somebody may edit it elsewhere. */
const FILE_MS = 5000;

export const homePolicyQuery = queryOptions({
  queryKey: ["home-policy"],
  queryFn: ({ signal }) => client.policies.home({ signal }),
  refetchInterval: FILE_MS,
});

/** Whether a text would be a valid policy, by the server's own check. */
export const homePolicyCheckQuery = (text: string) =>
  queryOptions({
    queryKey: ["home-policy", "check", text],
    queryFn: ({ signal }) => client.policies.checkHome(text, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  });

/** What holds, for who may not see the owner's file. */
export const effectivePolicyQuery = queryOptions({
  queryKey: ["home-policy", "effective"],
  queryFn: ({ signal }) => client.policies.show({}, { signal }),
});
