import { DrydockError, type HostEvent } from "@drydock/protocol";
import { type Message, readText } from "@drydock/protocol/runner";
import { conversationKey } from "../../../host/index.ts";
import type { HostStore } from "../../../ledger/index.ts";
import type { ActionRegistry } from "./action-registry.ts";

export interface DeliveryPorts {
  facts: HostStore;
  registry: Pick<ActionRegistry, "findSurface">;
}

interface Origin {
  event: HostEvent;
  eventId: string;
  runId: string;
  agent: string;
}

/** Sends a message to where an event came from, and keeps it in the conversation. */
export async function deliverMessage(
  { facts, registry }: DeliveryPorts,
  { event, eventId, runId, agent }: Origin,
  message: Message,
): Promise<void> {
  const { surface = "api", reply_target: target } = event.delivery ?? {};
  const conversation = conversationKey(event);
  const deliver = registry.findSurface(surface);
  if (!target && conversation === null) {
    const hint = "Only an event with a conversation or a reply target can be answered.";
    throw new DrydockError("input.invalid", "There is nowhere to send the message to.", hint, { eventId });
  }
  if (target && !deliver) {
    const hint = `Register it: dock.host.surfaces.register("${surface}", deliver).`;
    throw new DrydockError("input.invalid", `Nothing delivers to the surface ${surface}.`, hint, { surface });
  }
  if (target) await deliver?.({ target, message, text: readText(message), artifacts: [], runId, agent });
  if (conversation !== null) await facts.transcript.add({ conversation, eventId, runId, message });
}
