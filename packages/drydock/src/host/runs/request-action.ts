import type { HostAgent, HostEvent } from "@drydock/protocol";
import type { ResultPayload } from "@drydock/protocol/runner";
import type { ActionOutcome, HostPorts, RunRecord } from "../ports.ts";

interface ActionRun {
  record: Pick<RunRecord, "id">;
  agent: HostAgent;
  eventId: string;
  event: HostEvent;
}

/** A trial asks for nothing to be done outside. */
export async function requestAction(
  ports: Pick<HostPorts, "requestAction">,
  { record, agent, eventId, event }: ActionRun,
  { action, target = null, payload = null }: ResultPayload<"action.requested">,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  if (event.synthetic) return { status: "refused", runId: null, message: "the event is a trial" };
  const { approvalSeconds, name } = agent;
  const request = { action, target, payload, agent: name, runId: record.id, eventId, event, approvalSeconds, signal };
  return ports.requestAction(request);
}
