import type { SourceAdapter, SourceContext, SourceProgram } from "../adapter.ts";
import { CallError } from "../chats/call-fault.ts";
import { createChatDesk } from "../chats/chat-desk.ts";
import { checkRoot } from "../chats/check-root.ts";
import { readJoinedThreads } from "../chats/joined-threads.ts";
import { toStartError } from "../chats/keep-connected.ts";
import { attendGateway } from "./attend-gateway.ts";
import { createDiscordCalls } from "./discord-calls.ts";
import { readDiscordMessage, toDiscordMessage } from "./read-discord-message.ts";
import type { DiscordSettings } from "./settings.ts";

const DENIED_HINT =
  "Reset the token on the bot's page at discord.com/developers, and store it: `drydock secret set NAME`, with the name that the source has for it.";
/** A direct message, or a channel whose facts the bot may not see. */
const UNKNOWN = { name: null, parent: null };

/** A bot of Discord, by its gateway. */
export const discordProgram: SourceProgram<DiscordSettings> = {
  check: checkRoot,
  start: startDiscord,
  async test(context) {
    const calls = createDiscordCalls(context);
    const toError = (error: unknown) => toStartError(error, DENIED_HINT);
    const { username } = await calls.getMe().catch(toError);
    const { session_start_limit: limit } = await calls.getGateway().catch(toError);
    return `Discord knows the bot as ${username}. It may connect ${limit.remaining} more times today.`;
  },
};

async function startDiscord(context: SourceContext<DiscordSettings>): Promise<SourceAdapter> {
  const calls = createDiscordCalls(context);
  const bot = await calls.getMe().catch((error: unknown) => toStartError(error, DENIED_HINT));
  const desk = createChatDesk(context, calls, { threads: await readJoinedThreads(context) });
  const findChannel = (id: string) =>
    calls.getChannel(id).catch((error: unknown) => {
      if (error instanceof CallError && error.fault.kind === "refused") return UNKNOWN;
      throw error;
    });
  const take = async (data: unknown, isChange: boolean) => {
    const message = toDiscordMessage(data);
    if (!message && !isChange) context.refuse("Discord sent a message that can't be read.");
    // A preview changes a message without editing it.
    if (!message?.author || message.author.bot || (isChange && !message.edited_timestamp)) return;
    const channel = message.guild_id === undefined ? UNKNOWN : await findChannel(message.channel_id);
    const read = readDiscordMessage(message, channel, bot);
    if (read) await desk.take(read);
  };
  let attending = Promise.resolve();
  context.run(() => {
    attending = attendGateway({ context, take });
    return attending;
  });
  return {
    deliver: desk.deliver,
    edit: (sent, delivery) => calls.edit(String(sent), delivery),
    showWork: calls.showWork,
    // The gateway keeps the session for the next start only where the connection was closed as it should.
    stop: () => attending.catch(() => {}),
  };
}
