import type { ChatFile, ChatMessage } from "../chats/chat-message.ts";
import type { TelegramEntity, TelegramFile, TelegramMessage, TelegramUpdate } from "./telegram-update.ts";

/** The bot itself, as Telegram knows it. */
export interface TelegramBot {
  id: number;
  username: string;
}

/** Updates that are asked for. Others are none of ours. */
export const ALLOWED_UPDATES: ("message" | "edited_message")[] = ["message", "edited_message"];

/** The message of an update; null where it has none that a person has written. */
export function readUpdate(update: TelegramUpdate, bot: TelegramBot): ChatMessage | null {
  const message = update.message ?? update.edited_message;
  const { from } = message ?? {};
  if (!message || !from || from.is_bot) return null;
  const isEdit = update.message === undefined;
  const { chat } = message;
  const isDirect = chat.type === "private";
  const thread = message.is_topic_message ? (message.message_thread_id ?? null) : null;
  const { text, isNamed } = readText(message, bot);
  return {
    type: isEdit ? "message.edited" : "message.received",
    sourceType: isEdit ? "edited_message" : "message",
    // Two edits within one second have the same time.
    id: isEdit ? `${message.message_id}:${update.update_id}` : String(message.message_id),
    timeSeconds: message.edit_date ?? message.date,
    chat: {
      ...{ id: String(chat.id), thread: thread === null ? null : String(thread), isDirect, workspace: null },
      name: isDirect ? nameOf(from) : (chat.title ?? null),
      names: [String(chat.id), ...(chat.username ? [`@${chat.username}`] : [])],
    },
    actor: { id: String(from.id), name: nameOf(from) },
    isAddressed: isDirect || isNamed || message.reply_to_message?.from?.id === bot.id,
    text,
    files: readFiles(message),
    data: {
      message_id: message.message_id,
      ...(message.media_group_id && { album: message.media_group_id }),
      ...(from.username && { username: from.username }),
      ...(from.language_code && { language_code: from.language_code }),
      ...(message.reply_to_message && { reply_to_message_id: message.reply_to_message.message_id }),
    },
    target: { chat_id: chat.id, message_id: message.message_id, thread_id: thread },
  };
}

function nameOf({ first_name, last_name }: { first_name: string; last_name?: string }): string {
  return last_name ? `${first_name} ${last_name}` : first_name;
}

/** The words, without the name of the bot before and behind them. */
function readText(message: TelegramMessage, bot: TelegramBot): { text: string; isNamed: boolean } {
  const whole = message.text ?? message.caption ?? "";
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  const named = entities.filter((entity) => namesBot(entity, whole, bot));
  let text = whole;
  // From the end, so that the places of those before it stay right.
  for (const { type, offset, length } of named.toReversed()) {
    const before = text.slice(0, offset);
    const behind = text.slice(offset + length);
    const command = type === "bot_command" ? text.slice(offset, offset + length).replace(/@.*$/, "") : "";
    if (command !== "" || before.trim() === "" || behind.trim() === "") text = `${before}${command}${behind}`;
  }
  return { text: text.trim(), isNamed: named.length > 0 };
}

/** Whether it is `@name`, a mention of the bot without a name, or a command that is for this bot. */
function namesBot(entity: TelegramEntity, text: string, { id, username }: TelegramBot): boolean {
  const words = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
  const name = `@${username.toLowerCase()}`;
  switch (entity.type) {
    case "mention":
      return words === name;
    case "text_mention":
      return entity.user?.id === id;
    case "bot_command":
      return words.endsWith(name);
    default:
      return false;
  }
}

/** What a message carries. A picture comes in several sizes: the largest is taken. */
function readFiles(message: TelegramMessage): ChatFile[] {
  const { photo, document, audio, voice, video, video_note, animation, sticker } = message;
  const found: [file: TelegramFile | undefined, mime: string, extension: string][] = [
    [photo?.at(-1), "image/jpeg", "jpg"],
    // An animation comes as a document, too.
    [animation ? undefined : document, "application/octet-stream", "bin"],
    [animation, "video/mp4", "mp4"],
    [audio, "audio/mpeg", "mp3"],
    [voice, "audio/ogg", "ogg"],
    [video, "video/mp4", "mp4"],
    [video_note, "video/mp4", "mp4"],
    [sticker, sticker?.is_video ? "video/webm" : "image/webp", sticker?.is_video ? "webm" : "webp"],
  ];
  return found.flatMap(([file, mime, extension]) => {
    if (!file) return [];
    const name = file.file_name ?? `${file.file_unique_id}.${extension}`;
    return [{ name, mime: file.mime_type ?? mime, bytes: file.file_size ?? null, reference: file.file_id }];
  });
}

/** Pictures that were sent together come as one message each. Those that come with one answer of the server become one. */
export function joinAlbums(messages: readonly ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const { album } = message.data;
    const before = joined.at(-1);
    if (album === undefined || before?.data.album !== album || before.chat.id !== message.chat.id) joined.push(message);
    else
      joined.splice(-1, 1, {
        ...before,
        text: [before.text, message.text].filter((text) => text !== "").join("\n"),
        files: [...before.files, ...message.files],
        isAddressed: before.isAddressed || message.isAddressed,
      });
  }
  return joined;
}
