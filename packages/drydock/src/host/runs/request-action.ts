import type { HostAgent, HostEvent } from "@drydock/protocol";
import type { ResultPayload } from "@drydock/protocol/runner";
import type { ActionOutcome, ActionRequest, HostPorts, RunRecord } from "../ports.ts";

interface ActionRun {
  record: Pick<RunRecord, "id">;
  agent: HostAgent;
  eventId: string;
  event: HostEvent;
}

/** An action that a result asks for, and who hears what became of it where that is known later only. */
export type EffectRequest = ResultPayload<"action.requested"> & Pick<ActionRequest, "onSettled">;

/** A trial asks for nothing to be done outside. */
export async function requestAction(
  ports: Pick<HostPorts, "requestAction">,
  { record, agent, eventId, event }: ActionRun,
  { onSettled, ...requested }: EffectRequest,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  if (event.synthetic) return { status: "refused", runId: null, message: "the event is a trial" };
  const { approvalSeconds, name } = agent;
  const { action, target = null, payload = null } = requested;
  const about = { agent: name, runId: record.id, eventId, event };
  return ports.requestAction({ action, target, payload, ...about, approvalSeconds, onSettled, signal });
}
