import * as z from "zod";
import type { ChatFile, ChatMessage } from "../chats/chat-message.ts";
import { readSlackText } from "./slack-text.ts";

/** The app's own user. */
export interface SlackBot {
  userId: string;
}

const text = z.string().nullish();

const SlackFile = z.looseObject({
  id: z.string(),
  name: text,
  mimetype: text,
  size: z.number().nullish(),
  url_private_download: text,
  url_private: text,
});

const Message = z.looseObject({
  user: text,
  bot_id: text,
  text,
  ts: z.string(),
  thread_ts: text,
  parent_user_id: text,
  edited: z.looseObject({ ts: z.string() }).nullish(),
  files: z.array(SlackFile).nullish(),
});

/** What of the Events API is read. Unknown fields are of no interest. */
const EventsPayload = z.looseObject({
  team_id: text,
  event: z.looseObject({
    type: z.enum(["message", "app_mention"]),
    subtype: text,
    channel: z.string(),
    channel_type: text,
    ...Message.partial().shape,
    message: Message.nullish(),
    previous_message: z.looseObject({ text }).nullish(),
  }),
});
type SlackEvent = z.infer<typeof EventsPayload>["event"];

/** Kinds of messages that a person has written. */
const WRITTEN = ["file_share", "thread_broadcast", "me_message"];

/** The message of an event; null where it has none that a person has written. */
export function readSlackEvent(payload: unknown, bot: SlackBot, { threads }: { threads: boolean }): ChatMessage | null {
  const read = EventsPayload.safeParse(payload);
  if (!read.success) return null;
  const { team_id, event } = read.data;
  const found = findMessage(event);
  if (!found) return null;
  const { message, editTs } = found;
  const { user, ts } = message;
  if (!user || message.bot_id || user === bot.userId) return null;
  const { channel, channel_type } = event;
  const isDirect = channel_type === "im";
  const named = `<@${bot.userId}>`;
  const words = message.text ?? "";
  const thread = message.thread_ts ?? (threads && !isDirect ? ts : null);
  return {
    type: editTs === null ? "message.received" : "message.edited",
    sourceType: event.subtype ? `${event.type}.${event.subtype}` : event.type,
    id: editTs === null ? ts : `${ts}:${editTs}`,
    timeSeconds: Number(editTs ?? ts),
    chat: {
      ...{ id: channel, name: null, thread, isDirect, workspace: team_id ?? null },
      names: [channel, ...(isDirect ? [user] : [])],
    },
    actor: { id: user, name: null },
    isAddressed:
      isDirect || event.type === "app_mention" || words.includes(named) || message.parent_user_id === bot.userId,
    text: readSlackText(stripName(words, named)),
    files: (message.files ?? []).flatMap(readFile),
    data: { ts, ...(message.thread_ts && { thread_ts: message.thread_ts }) },
    target: { channel, thread_ts: thread },
  };
}

/** The message itself, and when it was edited. A preview that Slack adds to a message changes it, too: that is no edit. */
function findMessage(event: SlackEvent): { message: z.infer<typeof Message>; editTs: string | null } | null {
  if (event.subtype === "message_changed") {
    const { message, previous_message: before } = event;
    if (!message?.edited || message.text === before?.text) return null;
    return { message, editTs: message.edited.ts };
  }
  if (event.subtype && !WRITTEN.includes(event.subtype)) return null;
  const own = Message.safeParse(event);
  return own.success ? { message: own.data, editTs: null } : null;
}

/** Without the name of the bot before and behind the words. */
function stripName(words: string, named: string): string {
  let text = words.trim();
  while (text.startsWith(named)) text = text.slice(named.length).trimStart();
  while (text.endsWith(named)) text = text.slice(0, -named.length).trimEnd();
  return text;
}

function readFile({ id, name, mimetype, size, ...file }: z.infer<typeof SlackFile>): ChatFile[] {
  const reference = file.url_private_download ?? file.url_private;
  if (!reference) return [];
  return [{ name: name ?? id, mime: mimetype ?? "application/octet-stream", bytes: size ?? null, reference }];
}
