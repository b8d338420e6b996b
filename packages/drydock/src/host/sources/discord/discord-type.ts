import { defineSourceType } from "../adapter.ts";
import { DiscordSettings } from "./settings.ts";

export const discordType = defineSourceType({
  type: "discord",
  summary: "A bot of Discord, in channels, threads and direct messages.",
  settings: DiscordSettings,
  secrets: { token: { description: "The bot's token, from the page of the application.", required: true } },
  eventSource: "platform",
  events: ["message.received", "message.edited"],
  // A channel takes five messages and changes in five seconds.
  answers: { maxMessageChars: 2000, editEveryMs: 1500 },
  ...{ runs: "once", path: null },
  load: async () => (await import("./discord-program.ts")).discordProgram,
});
