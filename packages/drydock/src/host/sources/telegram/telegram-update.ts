import * as z from "zod";

const text = z.string().optional();

const Person = z.looseObject({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: text,
  username: text,
  language_code: text,
});

const Entity = z.looseObject({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  user: z.looseObject({ id: z.int() }).optional(),
});

const File = z.looseObject({
  file_id: z.string(),
  file_unique_id: z.string(),
  file_size: z.number().optional(),
  file_name: text,
  mime_type: text,
});

const Message = z.looseObject({
  message_id: z.int(),
  date: z.int(),
  edit_date: z.int().optional(),
  chat: z.looseObject({ id: z.int(), type: z.string(), title: text, username: text }),
  from: Person.optional(),
  is_topic_message: z.boolean().optional(),
  message_thread_id: z.int().optional(),
  media_group_id: text,
  reply_to_message: z.looseObject({ message_id: z.int(), from: z.looseObject({ id: z.int() }).optional() }).optional(),
  ...{ text, caption: text, entities: z.array(Entity).default([]), caption_entities: z.array(Entity).default([]) },
  ...{ photo: z.array(File).optional(), document: File.optional(), audio: File.optional(), voice: File.optional() },
  ...{ video: File.optional(), video_note: File.optional(), animation: File.optional() },
  sticker: z.looseObject({ ...File.shape, is_video: z.boolean().optional() }).optional(),
});

/** What of an update is read. Unknown fields are of no interest. */
const Update = z.looseObject({
  update_id: z.int(),
  message: Message.optional(),
  edited_message: Message.optional(),
});

export type TelegramUpdate = z.infer<typeof Update>;
export type TelegramMessage = z.infer<typeof Message>;
export type TelegramEntity = z.infer<typeof Entity>;
export type TelegramFile = z.infer<typeof File>;

/** Null for what is none. */
export function toUpdate(data: unknown): TelegramUpdate | null {
  return Update.safeParse(data).data ?? null;
}
