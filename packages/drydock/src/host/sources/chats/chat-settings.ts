import * as z from "zod";

/** Settings that all chat platforms have. */
export const CHAT_SETTINGS = {
  chats: z
    .array(z.string().min(1).max(255))
    .max(1000)
    .default([])
    .describe("Ids of the chats that are answered. `*`: all. Default: none."),
  mention: z
    .boolean()
    .default(true)
    .describe("Whether a message in a group has to name the bot, or answer it, to be taken."),
  max_file_mb: z
    .number()
    .min(0)
    .max(20)
    .default(10)
    .describe("The largest file that is taken or sent, in megabytes. 0: none."),
  refusal: z
    .string()
    .max(1000)
    .optional()
    .describe("What is said in a chat that is not allowed, once an hour. Default: nothing."),
};
const ChatSettings = z.object(CHAT_SETTINGS);
export type ChatSettings = z.infer<typeof ChatSettings>;
