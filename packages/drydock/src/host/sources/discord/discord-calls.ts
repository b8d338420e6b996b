import { randomBytes } from "node:crypto";
import type { REST } from "@discordjs/rest";
import {
  type APIChannel,
  type APIMessage,
  type APIUser,
  type RESTGetAPIGatewayBotResult,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
} from "discord-api-types/v10";
import type { SourceContext } from "../adapter.ts";
import { CallError, callPatiently } from "../chats/call-fault.ts";
import type { ChatPlatform, ChatWords } from "../chats/chat-desk.ts";
import { readAtMost } from "../chats/read-at-most.ts";
import { createDiscordRest, readFault } from "./discord-rest.ts";
import type { DiscordChannel } from "./read-discord-message.ts";
import type { DiscordSettings } from "./settings.ts";

/** How long an answer is tried to be sent while Discord is down. It waits for rate limits besides, by the library. */
const PATIENCE_MS = 600_000;
const MOST_CHANNELS = 1000;
const PUBLIC_THREADS = [10, 11, 12];
/** What an agent says calls nobody. */
const NOBODY = { allowed_mentions: { parse: [], replied_user: true } } satisfies RESTPostAPIChannelMessageJSONBody;

export interface DiscordCalls extends ChatPlatform {
  getMe(): Promise<APIUser>;
  /** Where the gateway is. */
  getGateway(): Promise<RESTGetAPIGatewayBotResult>;
  /** What is known of a channel. It is asked for once. */
  getChannel(id: string): Promise<DiscordChannel>;
  edit(id: string, words: ChatWords): Promise<void>;
  showWork(target: Record<string, unknown>): Promise<void>;
}

/** The REST API, as far as it is used. What rejects is a `CallError` without the token. */
export function createDiscordCalls({
  settings,
  secrets,
  signal,
}: Pick<SourceContext<DiscordSettings>, "settings" | "secrets" | "signal">): DiscordCalls {
  const rest = createDiscordRest(settings.api_root, secrets.token ?? "");
  const channels = new Map<string, DiscordChannel>();
  const patient = <T>(call: () => Promise<T>, stop: AbortSignal) =>
    callPatiently(call, { readFault, signal: stop, patienceMs: PATIENCE_MS });
  const get = async <T>(route: `/${string}`) => (await rest.get(route, { signal }).catch(toCallError)) as T;
  const post = async (target: Record<string, unknown>, stop: AbortSignal, options: Omit<PostOptions, "signal">) => {
    const { channel_id, message_reference } = readTarget(target);
    // What was sent and not confirmed is not sent twice.
    const nonce = randomBytes(12).toString("base64url");
    const body = { ...options.body, ...NOBODY, message_reference, nonce, enforce_nonce: true };
    const call = () => rest.post(Routes.channelMessages(channel_id), { ...options, body, signal: stop });
    return ((await patient(call, stop)) as APIMessage).id;
  };
  return {
    getMe: () => get<APIUser>(Routes.user()),
    getGateway: () => get<RESTGetAPIGatewayBotResult>(Routes.gatewayBot()),
    async getChannel(id) {
      const known = channels.get(id);
      if (known) return known;
      const channel = readChannel((await patient(() => get<APIChannel>(Routes.channel(id)), signal)) as APIChannel);
      for (const oldest of channels.keys()) {
        if (channels.size < MOST_CHANNELS) break;
        channels.delete(oldest);
      }
      channels.set(id, channel);
      return channel;
    },
    /** Gives the id of the message. */
    send: ({ target, text, signal: stop }) => post(target, stop, { body: { content: text } }),
    async edit(id, { target, text, signal: stop }) {
      const route = Routes.channelMessage(readTarget(target).channel_id, id);
      const body: RESTPatchAPIChannelMessageJSONBody = { content: text, ...NOBODY };
      await patient(() => rest.patch(route, { body, signal: stop }), stop);
    },
    async showWork(target) {
      await rest.post(Routes.channelTyping(readTarget(target).channel_id), { signal }).catch(toCallError);
    },
    // The address has its own permission in it: it gets no token.
    download: ({ reference }, maxBytes) => readAtMost(reference, { maxBytes, signal, service: "Discord" }),
    async upload({ target, signal: stop }, { name, mime, bytes }) {
      await post(target, stop, { files: [{ name, contentType: mime, data: Buffer.from(bytes) }], body: {} });
    },
  };
}

type PostOptions = NonNullable<Parameters<REST["post"]>[1]> & { body: RESTPostAPIChannelMessageJSONBody };

function readChannel(channel: APIChannel): DiscordChannel {
  const parent = PUBLIC_THREADS.includes(channel.type) && "parent_id" in channel ? (channel.parent_id ?? null) : null;
  return { name: channel.name ?? null, parent };
}

/** For `catch`. */
function toCallError(error: unknown): never {
  throw new CallError(readFault(error));
}

function readTarget({ channel_id, message_id }: Record<string, unknown>) {
  if (typeof channel_id !== "string")
    throw new CallError({ kind: "refused", text: "The reply target names no channel of Discord." });
  const message_reference = typeof message_id === "string" ? { message_id, fail_if_not_exists: false } : undefined;
  return { channel_id, message_reference };
}
