import * as z from "zod";
import { CHAT_SETTINGS } from "../chats/chat-settings.ts";

export const DiscordSettings = z.strictObject({
  ...CHAT_SETTINGS,
  api_root: z
    .url({ protocol: /^https?$/ })
    .default("https://discord.com/api")
    .describe("Address of the API, for a proxy of your own."),
});
export type DiscordSettings = z.infer<typeof DiscordSettings>;
