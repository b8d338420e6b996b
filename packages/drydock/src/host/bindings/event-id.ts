import { hash, randomBytes } from "node:crypto";
import type { HostEvent } from "@drydock/protocol";

/**
 * Derived from where the event comes from, so that an event that is delivered twice has one id. An event without an id at its
 * source can't be recognised, and gets an id of its own.
 */
export function eventIdOf({ source, source_event_id, type, conversation }: HostEvent): string {
  if (!source_event_id) return `evt_${randomBytes(16).toString("hex")}`;
  const { bot_id = null, conversation_id = null, launcher_id = null } = conversation ?? {};
  const identity = JSON.stringify([source, type, bot_id, launcher_id, conversation_id, source_event_id]);
  return `evt_${hash("sha256", identity).slice(0, 32)}`;
}

/** The same for all events of one conversation and thread; null for an event that belongs to none. */
export function conversationKey({ conversation }: Pick<HostEvent, "conversation">): string | null {
  if (!conversation?.conversation_id) return null;
  const { conversation_id, thread_id = null, bot_id = null, workspace_id = null } = conversation;
  return hash("sha256", JSON.stringify([bot_id, workspace_id, conversation_id, thread_id]));
}
