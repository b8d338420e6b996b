import { queryOptions } from "@tanstack/react-query";
import { client, statusOf } from "./client.ts";

/** Runners with their forms. Plugins that are not running are started for it. */
export const runnersQuery = queryOptions({
  queryKey: ["host", "runners"],
  queryFn: ({ signal }) => client.host.runners.list({ signal }),
  staleTime: 30_000,
});

export const agentQuery = (name: string) =>
  queryOptions({
    queryKey: ["host", "agent", name],
    queryFn: ({ signal }) => client.host.agents.get(name, { signal }),
  });

export const harnessQuery = (name: string) =>
  queryOptions({
    queryKey: ["host", "harness", name],
    queryFn: ({ signal }) => client.host.agents.harness(name, { signal }),
  });

/** What the forms of an agent offer, of all that has a list. */
export const choicesQuery = queryOptions({
  queryKey: ["host", "choices"],
  queryFn: async ({ signal }) => {
    const [choices, { knowledge }, { skills }, secrets] = await Promise.all([
      client.host.choices({ signal }),
      client.knowledge.list({ signal }),
      client.skills.list({ signal }),
      listSecrets(signal),
    ]);
    return { ...choices, knowledge, skills, secrets };
  },
});

/** Names of secrets; null for who may not know them. */
async function listSecrets(signal: AbortSignal): Promise<string[] | null> {
  try {
    return (await client.secrets.list({ signal })).names;
  } catch (error) {
    if (statusOf(error) === 403) return null;
    throw error;
  }
}
