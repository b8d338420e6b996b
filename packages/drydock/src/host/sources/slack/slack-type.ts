import { defineSourceType } from "../adapter.ts";
import { SlackSettings } from "./settings.ts";

export const slackType = defineSourceType({
  type: "slack",
  summary: "An app of Slack by Socket Mode, in channels, threads and direct messages.",
  settings: SlackSettings,
  secrets: {
    bot_token: { description: "The app's bot token, `xoxb-…`.", required: true },
    app_token: { description: "An app-level token with the scope `connections:write`, `xapp-…`.", required: true },
  },
  eventSource: "platform",
  events: ["message.received", "message.edited"],
  // 4,000 characters with those that are written as three or more. Changes: 50 in a minute.
  answers: { maxMessageChars: 3500, editEveryMs: 1500 },
  ...{ runs: "once", path: null },
  load: async () => (await import("./slack-program.ts")).slackProgram,
});
