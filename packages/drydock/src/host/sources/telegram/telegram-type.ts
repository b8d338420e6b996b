import { defineSourceType } from "../adapter.ts";
import { TelegramSettings } from "./settings.ts";

export const telegramType = defineSourceType({
  type: "telegram",
  summary: "A bot of Telegram, in direct chats, groups and topics of forums.",
  settings: TelegramSettings,
  secrets: { token: { description: "The bot's token, as @BotFather gives it.", required: true } },
  eventSource: "platform",
  events: ["message.received", "message.edited"],
  // A group takes 20 messages and changes in a minute.
  answers: { maxMessageChars: 4096, editEveryMs: 3000 },
  ...{ runs: "once", path: null },
  load: async () => (await import("./telegram-program.ts")).telegramProgram,
});
