import * as z from "zod";
import type { ChatMessage } from "../chats/chat-message.ts";

const User = z.looseObject({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
  system: z.boolean().nullish(),
});

/** What is read of a message as the gateway has it: all of it when it is new, what it has when it was changed. */
const Message = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  guild_id: z.string().optional(),
  content: z.string(),
  type: z.number().default(0),
  author: User.nullish(),
  webhook_id: z.string().nullish(),
  timestamp: z.iso.datetime({ offset: true }).nullish(),
  edited_timestamp: z.iso.datetime({ offset: true }).nullish(),
  mentions: z.array(User).default([]),
  referenced_message: z.looseObject({ author: z.looseObject({ id: z.string() }).nullish() }).nullish(),
  message_reference: z.looseObject({ message_id: z.string().nullish() }).nullish(),
  attachments: z
    .array(
      z.looseObject({
        filename: z.string(),
        content_type: z.string().nullish(),
        size: z.number(),
        url: z.string(),
      }),
    )
    .default([]),
});
export type DiscordMessage = z.infer<typeof Message>;

/** Where a channel belongs. */
export interface DiscordChannel {
  name: string | null;
  /** The channel that a thread belongs to; null for what is no thread. */
  parent: string | null;
}

export interface DiscordBot {
  id: string;
}

/** Ordinary messages, answers, and commands that begin a thread. Others are written by Discord itself. */
const WRITTEN = [0, 19, 21];

/** Null for what is no message, whatever the gateway calls it. */
export function toDiscordMessage(data: unknown): DiscordMessage | null {
  return Message.safeParse(data).data ?? null;
}

/** What a person has written; null where it is something else. */
export function readDiscordMessage(
  message: DiscordMessage,
  channel: DiscordChannel,
  bot: DiscordBot,
): ChatMessage | null {
  const { id, author, channel_id, guild_id, type, edited_timestamp: edited } = message;
  if (!author || author.bot || author.system || message.webhook_id || !WRITTEN.includes(type)) return null;
  const isDirect = guild_id === undefined;
  const { parent } = channel;
  const home = parent ?? channel_id;
  const isNamed = message.mentions.some((user) => user.id === bot.id);
  return {
    type: edited ? "message.edited" : "message.received",
    sourceType: edited ? "MESSAGE_UPDATE" : "MESSAGE_CREATE",
    // A preview that Discord adds to a message changes it without another time of editing.
    id: edited ? `${id}:${edited}` : id,
    timeSeconds: Date.parse(edited ?? message.timestamp ?? "") / 1000,
    chat: {
      ...{ id: home, name: channel.name, thread: parent === null ? null : channel_id, isDirect },
      workspace: guild_id ?? null,
      names: [home, channel_id, ...(isDirect ? [author.id] : [guild_id])],
    },
    actor: { id: author.id, name: author.global_name ?? author.username },
    isAddressed: isDirect || isNamed || message.referenced_message?.author?.id === bot.id,
    text: readText(message.content, bot, message.mentions),
    files: message.attachments.map(({ filename, content_type, size, url }) => ({
      ...{ name: filename, mime: content_type ?? "application/octet-stream", bytes: size, reference: url },
    })),
    data: {
      ...{ message_id: id, username: author.username },
      ...(message.message_reference?.message_id && { reply_to_message_id: message.message_reference.message_id }),
    },
    target: { channel_id, message_id: id },
  };
}

/** The words with the names of people in them, and without the bot's own before and behind them. */
function readText(content: string, bot: DiscordBot, mentions: DiscordMessage["mentions"]): string {
  const named = new RegExp(`^(\\s*<@!?${bot.id}>)+|(<@!?${bot.id}>\\s*)+$`, "g");
  const words = content.replaceAll(named, "").trim();
  return words.replaceAll(/<@!?(\d+)>/g, (whole, id: string) => {
    const user = mentions.find((each) => each.id === id);
    return user ? `@${user.username}` : whole;
  });
}
