import type { HostAgent, HostEvent } from "@drydock/protocol";
import { type Message, type RunContext, readText } from "@drydock/protocol/runner";
import type { HostPorts } from "../ports.ts";

export interface Delivery {
  /** Whether text is passed on as it comes. */
  streams: boolean;
  maxMessageChars: number | null;
  /** False: messages are kept and go nowhere. */
  replies: boolean;
  /** Sends a message to the surface of the event, with these artifacts of the run. Gives what went wrong, or null. */
  deliver(message: Message, artifacts?: readonly string[]): Promise<string | null>;
}

interface DeliveryRequest {
  agent: Pick<HostAgent, "name" | "delivery">;
  event: Pick<HostEvent, "delivery" | "synthetic">;
  runId: string;
}

/** What the place of the answer can do, as far as the agent's settings go. A trial has no place. */
export function describeDelivery({ agent, event }: Omit<DeliveryRequest, "runId">): RunContext["delivery"] {
  const { delivery, synthetic } = event;
  return {
    ...{ surface: "api", supports_edit: false, supports_reaction: false, platform_capabilities: {}, ...delivery },
    supports_streaming: agent.delivery.streaming && (delivery?.supports_streaming ?? true),
    ...(synthetic && { reply_target: null }),
    max_message_size: agent.delivery.maxMessageChars ?? delivery?.max_message_size ?? null,
  };
}

/** How the messages of a run reach people: by what the surface can do, and where the event names no target, by the agent's settings. */
export function chooseDelivery(ports: Pick<HostPorts, "deliver">, request: DeliveryRequest): Delivery {
  const { agent, event, runId } = request;
  const delivery = describeDelivery(request);
  const { reply: replies, fallback } = agent.delivery;
  const own = delivery.reply_target ? { surface: delivery.surface, target: delivery.reply_target } : null;
  const place = event.synthetic ? null : (own ?? fallback ?? null);
  return {
    ...{ streams: replies && delivery.supports_streaming, maxMessageChars: delivery.max_message_size ?? null, replies },
    async deliver(message, artifacts = []) {
      if (!place) return null;
      try {
        const isKnown = await ports.deliver({ ...place, message, artifacts, runId, agent: agent.name });
        return isKnown ? null : `Nothing delivers to the surface ${place.surface}.`;
      } catch (error) {
        return `The message could not be delivered: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
  };
}

/** A message in parts that the surface takes. What is not text goes with the first. */
export function splitMessage(message: Message, maxChars: number | null): Message[] {
  const text = readText(message);
  if (maxChars === null || text.length <= maxChars) return [message];
  const others = Array.isArray(message.content) ? message.content.filter(({ type }) => type !== "text") : [];
  const texts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = findEnd(text, at, maxChars);
    texts.push(text.slice(at, end));
    at = end;
  }
  return texts.map((part, index): Message => {
    if (index > 0 || others.length === 0) return { ...message, content: part };
    return { ...message, content: [...others, { type: "text", text: part }] };
  });
}

/** Where a part ends: with a line or a word, where one ends in its second half. */
function findEnd(text: string, at: number, maxChars: number): number {
  const most = at + maxChars;
  if (most >= text.length) return text.length;
  for (const mark of ["\n", " "]) {
    const end = text.lastIndexOf(mark, most - 1) + 1;
    if (end > at + maxChars / 2) return end;
  }
  // A character of two halves is not cut in the middle, unless a part has room for one half only.
  return maxChars > 1 && /[\uD800-\uDBFF]/.test(text[most - 1] ?? "") ? most - 1 : most;
}
