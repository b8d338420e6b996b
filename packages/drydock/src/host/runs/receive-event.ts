import { DrydockError, HOST_LIMITS, type HostAgent, HostEvent, type HostEventInput } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import type { HostStore, StoredEvent } from "../../ledger/index.ts";
import { conversationKey, eventIdOf } from "../bindings/event-id.ts";

/** Checks an event that comes from outside. */
export function readEvent(input: HostEventInput): HostEvent {
  const read = HostEvent.safeParse(input);
  if (read.success) {
    const bytes = Buffer.byteLength(JSON.stringify(read.data));
    if (bytes > HOST_LIMITS.eventBytes) throw tooLarge(bytes);
    return read.data;
  }
  const issue = read.error.issues[0];
  const where = issue?.path.join(".") || "the event";
  const hint = "An event has at least a type, such as `message.received`.";
  throw new DrydockError("input.invalid", `${where}: ${issue?.message}.`, hint, { field: where });
}

/** Puts an event on record, and its message into the transcript. `fact` is null where the event came before. */
export async function recordEvent(
  facts: HostStore,
  event: HostEvent,
  history: readonly Message[] = [],
): Promise<{ id: string; conversation: string | null; fact: StoredEvent | null }> {
  const id = eventIdOf(event);
  const conversation = conversationKey(event);
  const fact = await facts.events.add(id, event, conversation);
  if (fact && conversation !== null && event.type === "message.received") {
    const message: Message = { role: "user", content: event.input.text ?? event.input.contents };
    const isNew = history.length > 0 && (await facts.transcript.latest(conversation)).count === 0;
    for (const said of isNew ? [...history, message] : [message])
      await facts.transcript.add({ conversation, eventId: id, runId: null, message: said });
  }
  return { id, conversation, fact };
}

export async function requireAgent(facts: HostStore, name: string): Promise<HostAgent> {
  const agent = await facts.agents.find(name);
  if (agent) return agent;
  const hint = "`drydock agent list` shows all agents. Create it, or name another.";
  throw new DrydockError("agent.not_found", `There is no agent ${name}.`, hint, { agent: name });
}

function tooLarge(bytes: number): DrydockError {
  const { eventBytes } = HOST_LIMITS;
  const message = `The event has ${bytes} bytes; the most is ${eventBytes}.`;
  return new DrydockError("input.invalid", message, "Send what is large as an artifact or by its address.", {
    bytes,
    maxBytes: eventBytes,
  });
}
