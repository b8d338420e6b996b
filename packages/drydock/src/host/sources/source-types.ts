import type { SourceType } from "./adapter.ts";
import { discordType } from "./discord/discord-type.ts";
import { scheduleType } from "./schedule/schedule-type.ts";
import { slackType } from "./slack/slack-type.ts";
import { telegramType } from "./telegram/telegram-type.ts";
import { webchatType } from "./webchat/webchat-type.ts";
import { webhookType } from "./webhook/webhook-type.ts";

/** Every type of source, by name. What a type needs is loaded with its first source. */
export const SOURCE_TYPES: readonly SourceType[] = [
  discordType,
  scheduleType,
  slackType,
  telegramType,
  webchatType,
  webhookType,
];
