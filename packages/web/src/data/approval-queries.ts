import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";
import { readEvents } from "./queries.ts";

const LIST_MS = 3000;

/** All approvals, the newest first. Looking denies those whose time is over. */
export const approvalsQuery = queryOptions({
  queryKey: ["approvals"],
  queryFn: ({ signal }) => client.approvals.list({}, { signal }),
  refetchInterval: LIST_MS,
});

export interface ApprovalFacts {
  /** What the call would be done with, by name. */
  values: unknown;
  workspace: string | null;
  /** When it is denied by itself; null where it waits for as long as it takes. */
  expiresAt: string | null;
}

/** What the record of the call's run has of it, from its first event. */
export const approvalFactsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["approval-facts", runId],
    queryFn: async ({ signal }): Promise<ApprovalFacts> => {
      const { events } = await readEvents(runId, { from: "first", limit: 1 }, signal);
      const { capability, hostAction, workspace } = (events[0]?.data ?? {}) as Record<string, unknown>;
      const { expiresAt } = Object(hostAction) as { expiresAt?: unknown };
      return {
        values: (Object(capability) as { values?: unknown }).values,
        workspace: typeof workspace === "string" ? workspace : null,
        expiresAt: typeof expiresAt === "string" ? expiresAt : null,
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Proposals of profiles, which wait for a person as well. */
export const profileProposalsQuery = queryOptions({
  queryKey: ["approvals", "profiles"],
  queryFn: ({ signal }) => client.profile.pending({ signal }),
  refetchInterval: LIST_MS,
});
