import { DrydockError, EffectivePolicy, type RunEvent } from "@drydock/protocol";
import { narrowPolicy } from "../../policy/index.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { notReplayable } from "./read-recorded.ts";
import type { ReplayPorts, ReplayRequest } from "./replayer.ts";

const MAX_NAMED = 5;

/** The policy that a run had. A run without one was refused before anything was executed. */
export function readFrozenPolicy({ run, events }: RecordedRun): EffectivePolicy {
  const policy = EffectivePolicy.safeParse(events[0]?.data.policy);
  if (policy.success) return policy.data;
  const why =
    run.errorCode === null ? "its policy can't be read" : `it was refused before it started (${run.errorCode})`;
  throw notReplayable(run.id, why, "There is nothing to execute again.");
}

/**
 * The policy of a replay, as a request: what the run had, without its hosts unless the network is allowed. Rejects where
 * today's policy does not allow as much: a record gives no rights.
 */
export async function choosePolicy(
  { policies }: Pick<ReplayPorts, "policies">,
  recorded: RecordedRun,
  { network = false }: Pick<ReplayRequest, "network">,
  workspace: string | null,
): Promise<EffectivePolicy> {
  const frozen = readFrozenPolicy(recorded);
  const wanted = network ? frozen : narrowPolicy(frozen, { hosts: [] });
  await policies.resolve({ workspace, request: wanted });
  return wanted;
}

/** Rejects for runs that used the network, where the replay may not. */
export function refuseNetwork(runs: readonly RecordedRun[], { network = false }: Pick<ReplayRequest, "network">): void {
  if (network) return;
  for (const { run, events } of runs) {
    const used = listHosts(events);
    if (used.length === 0) continue;
    const more = used.length > MAX_NAMED ? ` and ${used.length - MAX_NAMED} more` : "";
    throw new DrydockError(
      "policy.network_denied",
      `Run ${run.id} used the network (${used.slice(0, MAX_NAMED).join(", ")}${more}), and a replay does not.`,
      "Allow it with --network (`network: true`): then the replay reaches what the policy of the run allowed, and others may answer differently.",
      { runId: run.id, hosts: used },
    );
  }
}

/** Hosts that it reached, or that a list of allowed hosts did not name: without a network, these fail in another way. */
function listHosts(events: readonly RunEvent[]): string[] {
  const used = events.filter(({ type }) => type === "network.connected" || type === "network.refused");
  const upstreams = events.filter(({ type }) => type === "upstream.requested");
  return [
    ...new Set([
      ...used.map(({ data }) => `${data.host}:${data.port}`),
      ...upstreams.map(({ data }) => `upstream ${data.upstream}`),
    ]),
  ];
}
