import { hash, randomBytes } from "node:crypto";
import type { HostEvent } from "@drydock/protocol";

/**
 * Derived from where the event comes from, so that an event that is delivered twice has one id. An event without an id at its
 * source can't be recognised, and gets an id of its own.
 */
export function eventIdOf({ source, source_event_id, type, conversation, synthetic }: HostEvent): string {
  if (!source_event_id) return `evt_${randomBytes(16).toString("hex")}`;
  const { bot_id = null, conversation_id = null, launcher_id = null } = conversation ?? {};
  // GitHub signs the body of a delivery and not the name of its event: under another name it is the same delivery.
  const kind = type.startsWith("github.") ? "github" : type;
  const identity = [source, kind, bot_id, launcher_id, conversation_id, source_event_id];
  const text = JSON.stringify(synthetic ? [...identity, "synthetic"] : identity);
  return `evt_${hash("sha256", text).slice(0, 32)}`;
}

/** The same for all events of one conversation and thread; null for an event that belongs to none. */
export function conversationKey({
  conversation,
  synthetic = false,
}: Pick<HostEvent, "conversation"> & Partial<Pick<HostEvent, "synthetic">>): string | null {
  if (!conversation?.conversation_id) return null;
  const { conversation_id, thread_id = null, bot_id = null, workspace_id = null } = conversation;
  const identity = [bot_id, workspace_id, conversation_id, thread_id];
  // A trial has a history of its own.
  return hash("sha256", JSON.stringify(synthetic ? [...identity, "synthetic"] : identity));
}
