import { ErrorCode, type Logger, LogLevel, WebClient, type WebClientOptions } from "@slack/web-api";
import type { SourceContext } from "../adapter.ts";
import { CallError, type CallFault, callPatiently, noAnswer } from "../chats/call-fault.ts";
import type { ChatPlatform, ChatWords } from "../chats/chat-desk.ts";
import { readAtMost } from "../chats/read-at-most.ts";
import type { SlackBot } from "./read-slack-event.ts";
import type { SlackSettings } from "./settings.ts";
import { writeSlackText } from "./slack-text.ts";

const CALL_MS = 60_000;
/** How long an answer is tried to be sent while Slack is down or has too many calls. */
const PATIENCE_MS = 600_000;
const DENIED = [
  ...["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "user_removed_from_team"],
  ...["team_disabled", "missing_scope", "not_allowed_token_type", "no_permission", "team_access_not_granted"],
];
const DOWN = ["internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"];

export interface SlackCalls extends ChatPlatform {
  /** Who the bot token is for. */
  getBot(): Promise<SlackBot & { user: string; team: string }>;
  /** Where the WebSocket is, by the app's token. */
  openConnection(): Promise<string>;
  edit(ts: string, words: ChatWords): Promise<void>;
}

/** The libraries write nothing: their texts may quote what was sent. */
export const SILENT: Logger = {
  ...{ debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, setName() {} },
  getLevel: () => LogLevel.ERROR,
};

/** Retries and rate limits are ours: the library's would hold up every other call. */
export function clientOptions({ api_root }: SlackSettings) {
  return {
    ...{ slackApiUrl: api_root, logger: SILENT, timeout: CALL_MS },
    ...{ retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, allowAbsoluteUrls: false },
  } satisfies WebClientOptions;
}

/** The Web API, as far as it is used. What rejects is a `CallError` without the token. */
export function createSlackCalls({
  settings,
  secrets,
  signal,
}: Pick<SourceContext<SlackSettings>, "settings" | "secrets" | "signal">): SlackCalls {
  const { bot_token = "", app_token = "" } = secrets;
  const client = new WebClient(bot_token, clientOptions(settings));
  const app = new WebClient(app_token, clientOptions(settings));
  const patient = <T>(call: () => Promise<T>, stop: AbortSignal) =>
    callPatiently(call, { readFault, signal: stop, patienceMs: PATIENCE_MS });
  return {
    async getBot() {
      const { user_id, user = "", team = "" } = await client.auth.test().catch(toCallError);
      return { userId: user_id ?? "", user, team };
    },
    async openConnection() {
      const { url } = await app.apps.connections.open({}).catch(toCallError);
      return url ?? "";
    },
    /** Gives the time of the message, which is its name. */
    async send({ target, text, signal: stop }) {
      const message = { ...readTarget(target), text: writeSlackText(text), unfurl_links: false, unfurl_media: false };
      const { ts } = await patient(() => client.chat.postMessage(message), stop);
      return ts ?? null;
    },
    async edit(ts, { target, text, signal: stop }) {
      const { channel } = readTarget(target);
      await patient(() => client.chat.update({ channel, ts, text: writeSlackText(text) }), stop);
    },
    download({ reference }, maxBytes) {
      if (!isOfSlack(reference, settings))
        throw new CallError({ kind: "refused", text: "It is not kept by Slack itself." });
      const headers = { authorization: `Bearer ${bot_token}` };
      return readAtMost(reference, { maxBytes, signal, service: "Slack", headers });
    },
    async upload({ target, signal: stop }, { name, bytes }) {
      const { channel: channel_id, thread_ts } = readTarget(target);
      const file = { file: Buffer.from(bytes), filename: name, channel_id };
      await patient(() => client.filesUploadV2(thread_ts === undefined ? file : { ...file, thread_ts }), stop);
    },
  };
}

/** The token goes to Slack only. A file of a message can lie anywhere: it may be a link to another service. */
function isOfSlack(address: string, { api_root }: SlackSettings): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname } = new URL(address);
  return origin === new URL(api_root).origin || (protocol === "https:" && /(^|\.)slack\.com$/.test(hostname));
}

/** A failure in our words. */
function readFault(error: unknown): CallFault {
  if (error instanceof CallError) return error.fault;
  const { code, retryAfter, statusCode, data } = Object(error);
  switch (code) {
    case ErrorCode.RateLimitedError:
      return { kind: "limited", waitMs: Number(retryAfter) * 1000, text: "Slack has too many calls." };
    case ErrorCode.HTTPError:
      return { kind: Number(statusCode) >= 500 ? "down" : "refused", text: `Slack answers with status ${statusCode}.` };
    case ErrorCode.PlatformError: {
      const reason = String(Object(data).error);
      const text = `Slack refused it: ${reason}.`;
      if (reason === "ratelimited") return { kind: "limited", waitMs: 30_000, text };
      return { kind: DENIED.includes(reason) ? "denied" : DOWN.includes(reason) ? "down" : "refused", text };
    }
    default:
      return noAnswer("Slack", error);
  }
}

/** For `catch`. */
export function toCallError(error: unknown): never {
  throw new CallError(readFault(error));
}

function readTarget({ channel, thread_ts }: Record<string, unknown>) {
  if (typeof channel !== "string")
    throw new CallError({ kind: "refused", text: "The reply target names no channel of Slack." });
  return { channel, ...(typeof thread_ts === "string" && { thread_ts }) };
}
