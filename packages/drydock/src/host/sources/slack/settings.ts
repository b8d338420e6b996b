import * as z from "zod";
import { CHAT_SETTINGS } from "../chats/chat-settings.ts";

export const SlackSettings = z.strictObject({
  ...CHAT_SETTINGS,
  threads: z
    .boolean()
    .default(true)
    .describe("Whether a message in a channel is answered in a thread, which is a conversation of its own."),
  api_root: z
    .url({ protocol: /^https?$/ })
    .default("https://slack.com/api/")
    .describe("Address of the Web API, for a proxy of your own."),
});
export type SlackSettings = z.infer<typeof SlackSettings>;
