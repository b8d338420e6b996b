import * as z from "zod";
import { CHAT_SETTINGS } from "../chats/chat-settings.ts";

export const TelegramSettings = z.strictObject({
  ...CHAT_SETTINGS,
  api_root: z
    .url({ protocol: /^https?$/ })
    .default("https://api.telegram.org")
    .describe("Address of the Bot API, for a server of your own."),
});
export type TelegramSettings = z.infer<typeof TelegramSettings>;
