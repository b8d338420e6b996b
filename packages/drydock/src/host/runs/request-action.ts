import type { HostAgent, HostEvent } from "@drydock/protocol";
import type { ResultPayload } from "@drydock/protocol/runner";
import type { ActionOutcome, HostPorts, RunRecord } from "../ports.ts";

/** The run whose runner asks. */
export interface AskingRun {
  record: Pick<RunRecord, "id">;
  agent: HostAgent;
  eventId: string;
  event: HostEvent;
  signal: AbortSignal;
}

/** Has an action done. A trial asks for nothing to be done outside. */
export async function requestAction(
  ports: Pick<HostPorts, "requestAction">,
  { record, agent, eventId, event, signal }: AskingRun,
  { action, target = null, payload = null }: ResultPayload<"action.requested">,
): Promise<ActionOutcome> {
  if (event.synthetic) return { status: "refused", runId: null, message: "the event is a trial" };
  const { approvalSeconds, name } = agent;
  const asked = { action, target, payload, agent: name, runId: record.id, eventId, event, approvalSeconds, signal };
  return ports.requestAction(asked);
}
