import type { SourceEvent } from "../adapter.ts";

/** A file of a message, as the platform names it. Its bytes are fetched when the chat is known to be allowed. */
export interface ChatFile {
  name: string;
  mime: string;
  /** Null where the platform does not say. */
  bytes: number | null;
  /** How the platform finds it. */
  reference: string;
}

/** A message of a chat, the same for all platforms. */
export interface ChatMessage {
  type: "message.received" | "message.edited";
  /** What the platform calls this kind of update. */
  sourceType: string;
  /** The same for each delivery of the update, and for no other update of the chat. */
  id: string;
  timeSeconds: number;
  chat: {
    id: string;
    name: string | null;
    thread: string | null;
    isDirect: boolean;
    /** The team or server that the chat belongs to. */
    workspace: string | null;
    /** Ids by which the list of allowed chats can name it. */
    names: string[];
  };
  actor: { id: string; name: string | null };
  /** Whether it speaks to the bot: in a direct chat, by its name, or as an answer to it. */
  isAddressed: boolean;
  text: string;
  files: ChatFile[];
  data: Record<string, unknown>;
  /** Where an answer goes, in the platform's words. */
  target: Record<string, unknown>;
}

/** The event of a message. `notes` are said to the agent below the text. */
export function toSourceEvent(
  { chat, actor, ...message }: ChatMessage,
  files: SourceEvent["files"],
  notes: readonly string[],
): SourceEvent {
  const text = [message.text, ...notes].filter((each) => each !== "").join("\n");
  return {
    ...{ type: message.type, id: message.id, source_event_type: message.sourceType, time: message.timeSeconds },
    conversation: {
      ...{ conversation_id: chat.id, thread_id: chat.thread, workspace_id: chat.workspace },
      ...{ launcher_type: chat.isDirect ? "person" : "group", launcher_id: chat.id },
    },
    actor: { actor_type: "user", actor_id: actor.id, actor_name: actor.name },
    data: { ...message.data, ...(chat.name !== null && { chat_name: chat.name }) },
    ...(text !== "" && { text }),
    ...{ files, target: message.target },
  };
}
