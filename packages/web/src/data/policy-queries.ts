import type { PolicyDocument } from "@drydock/protocol";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** What holds for runs on a directory, value by value, with where each comes from. */
export const policyQuery = (workspace: string) =>
  queryOptions({
    queryKey: ["policy", workspace],
    queryFn: ({ signal }) => client.policies.show(workspace === "" ? {} : { workspace }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Whether a run may ask for this, and what would hold then. */
export const policyCheckQuery = (workspace: string, policy: PolicyDocument) =>
  queryOptions({
    queryKey: ["policy", workspace, "check", policy],
    queryFn: ({ signal }) => client.policies.check({ policy, ...(workspace !== "" && { workspace }) }, { signal }),
    placeholderData: keepPreviousData,
  });
