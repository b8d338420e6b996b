import type { ChatMessage } from "./chat-message.ts";
import type { ChatSettings } from "./chat-settings.ts";

export type Admission = "taken" | "ignored" | "refused";

/** Whether a message is taken. One of a chat that is not allowed is refused, whatever it says. */
export function admitMessage(
  { chat, isAddressed }: Pick<ChatMessage, "chat" | "isAddressed">,
  { chats, mention }: Pick<ChatSettings, "chats" | "mention">,
): Admission {
  if (!chats.includes("*") && !chat.names.some((name) => chats.includes(name))) return "refused";
  return mention && !chat.isDirect && !isAddressed ? "ignored" : "taken";
}

const AGAIN_MS = 3_600_000;
const MOST_CHATS = 1000;

/** Which refusals are told: the first of a chat, and one an hour. A flood of updates makes no flood of records. */
export function createRefusals(now: () => number) {
  const told = new Map<string, { atMs: number; untold: number }>();
  return {
    /** Null where it is not told now; else how many were not told before it. */
    note(chat: string): { untold: number } | null {
      const known = told.get(chat);
      if (known && now() - known.atMs < AGAIN_MS) {
        known.untold++;
        return null;
      }
      told.delete(chat);
      for (const oldest of told.keys()) {
        if (told.size < MOST_CHATS) break;
        told.delete(oldest);
      }
      told.set(chat, { atMs: now(), untold: 0 });
      return { untold: known?.untold ?? 0 };
    },
  };
}
