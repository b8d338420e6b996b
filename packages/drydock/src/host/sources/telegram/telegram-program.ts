import type { Update } from "grammy/types";
import type { SourceAdapter, SourceContext, SourceProgram } from "../adapter.ts";
import { createChatDesk } from "../chats/chat-desk.ts";
import { checkRoot } from "../chats/check-root.ts";
import { keepConnected, toStartError } from "../chats/keep-connected.ts";
import { ALLOWED_UPDATES, joinAlbums, readUpdate, type TelegramBot } from "./read-update.ts";
import type { TelegramSettings } from "./settings.ts";
import { createTelegramCalls, type TelegramCalls } from "./telegram-calls.ts";
import { toUpdate } from "./telegram-update.ts";

const DENIED_HINT =
  "Get the bot's token from @BotFather, and store it: `drydock secret set NAME`, with the name that the source has for it.";

/** A bot of Telegram, by long polling. */
export const telegramProgram: SourceProgram<TelegramSettings> = {
  check: checkRoot,
  start: startTelegram,
  async test(context) {
    const { username, can_read_all_group_messages: readsAll } = await createTelegramCalls(context)
      .getMe()
      .catch((error: unknown) => toStartError(error, DENIED_HINT));
    const sees = readsAll
      ? "all messages of its groups"
      : "commands, answers to it and, as an administrator, all messages";
    return `Telegram knows the bot as @${username}. In groups it gets ${sees}.`;
  },
};

async function startTelegram(context: SourceContext<TelegramSettings>): Promise<SourceAdapter> {
  const { signal, report } = context;
  const calls = createTelegramCalls(context);
  const bot: TelegramBot = await calls.getMe().catch((error: unknown) => toStartError(error, DENIED_HINT));
  const desk = createChatDesk(context, calls);
  const take = async (updates: readonly Update[]) => {
    const messages = updates.flatMap((data) => {
      const update = toUpdate(data);
      if (!update) context.refuse("Telegram sent an update that can't be read.");
      return (update && readUpdate(update, bot)) ?? [];
    });
    for (const message of joinAlbums(messages)) await desk.take(message);
  };
  context.run(() => keepConnected((onUp) => poll(calls, { take, onUp }), { signal, report, deniedHint: DENIED_HINT }));
  return {
    deliver: desk.deliver,
    edit: (sent, delivery) => calls.edit(Number(sent), delivery),
    showWork: calls.showWork,
    async stop() {},
  };
}

/** An update is confirmed by the next question for updates: when it is on record. */
async function poll(
  calls: TelegramCalls,
  { take, onUp }: { take(updates: readonly Update[]): Promise<void>; onUp(): void },
): Promise<void> {
  for (let offset: number | undefined; ; ) {
    const updates = await calls.getUpdates(offset, ALLOWED_UPDATES);
    onUp();
    await take(updates);
    const last = updates.at(-1);
    if (last) offset = last.update_id + 1;
  }
}
