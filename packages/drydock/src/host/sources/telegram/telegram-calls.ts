import type { Update, UserFromGetMe } from "grammy/types";
// The build over `fetch`. The other one brings an HTTP client along that takes no signal once it is bundled.
import { Api, GrammyError, InputFile } from "grammy/web";
import type { SourceContext } from "../adapter.ts";
import { CallError, type CallFault, callPatiently, noAnswer } from "../chats/call-fault.ts";
import type { ChatPlatform, ChatWords } from "../chats/chat-desk.ts";
import { readAtMost } from "../chats/read-at-most.ts";
import type { TelegramSettings } from "./settings.ts";

/** A request that takes longer is given up. A question for updates is answered within less. */
const CALL_SECONDS = 90;
/** How long the server waits for an update before it answers with none. */
const POLL_SECONDS = 50;
const UPDATES_AT_ONCE = 100;
/** How long an answer is tried to be sent while Telegram is down or has too many calls. */
const PATIENCE_MS = 600_000;
/** What Telegram shows as a picture. Others are documents. */
const PICTURE = /^image\/(jpeg|png|webp)$/;

export interface TelegramCalls extends ChatPlatform {
  getMe(): Promise<UserFromGetMe>;
  getUpdates(offset: number | undefined, types: readonly Exclude<keyof Update, "update_id">[]): Promise<Update[]>;
  edit(id: number, words: ChatWords): Promise<void>;
  showWork(target: Record<string, unknown>): Promise<void>;
}

/** The Bot API, as far as it is used. What rejects is a `CallError` without the token. */
export function createTelegramCalls({
  settings,
  secrets,
  signal,
}: Pick<SourceContext<TelegramSettings>, "settings" | "secrets" | "signal">): TelegramCalls {
  const { token = "" } = secrets;
  const apiRoot = settings.api_root.replace(/\/+$/, "");
  // The same at run time: its types are those of the other build.
  const aborting = signal as unknown as Parameters<Api["getMe"]>[0];
  const api = new Api(token, { apiRoot, timeoutSeconds: CALL_SECONDS });
  const patient = <T>(call: () => Promise<T>, stop: AbortSignal) =>
    callPatiently(call, { readFault, signal: stop, patienceMs: PATIENCE_MS });
  return {
    getMe: () => api.getMe(aborting).catch(toCallError),
    getUpdates: (offset, types) =>
      api
        .getUpdates({ offset, timeout: POLL_SECONDS, limit: UPDATES_AT_ONCE, allowed_updates: [...types] }, aborting)
        .catch(toCallError),
    /** Gives the number of the message. */
    async send({ target, text, signal: stop }) {
      const { chat_id, ...options } = readTarget(target);
      return (await patient(() => api.sendMessage(chat_id, text, options), stop)).message_id;
    },
    async edit(id, { target, text, signal: stop }) {
      const { chat_id } = readTarget(target);
      await patient(() => api.editMessageText(chat_id, id, text).catch(ignoreSame), stop);
    },
    async showWork(target) {
      const { chat_id, message_thread_id } = readTarget(target);
      await api.sendChatAction(chat_id, "typing", { message_thread_id }).catch(toCallError);
    },
    async download({ reference }, maxBytes) {
      const { file_path } = await patient(() => api.getFile(reference), signal);
      if (!file_path) throw new CallError({ kind: "refused", text: "Telegram does not give it." });
      return readAtMost(`${apiRoot}/file/bot${token}/${file_path}`, { maxBytes, signal, service: "Telegram" });
    },
    async upload({ target, signal: stop }, { name, mime, bytes }) {
      const { chat_id, ...options } = readTarget(target);
      const asDocument = () => patient(() => api.sendDocument(chat_id, new InputFile(bytes, name), options), stop);
      if (!PICTURE.test(mime)) return void (await asDocument());
      try {
        await patient(() => api.sendPhoto(chat_id, new InputFile(bytes, name), options), stop);
      } catch (error) {
        // Too large or too long for a picture; as a file it may go.
        if (!(error instanceof CallError) || error.fault.kind !== "refused") throw error;
        await asDocument();
      }
    },
  };
}

/** A failure in our words. Errors of the network are not quoted: they may have the address, and it has the token. */
function readFault(error: unknown): CallFault {
  if (error instanceof CallError) return error.fault;
  if (!(error instanceof GrammyError)) return noAnswer("Telegram", error);
  const { error_code: code, description, parameters, method } = error;
  const text = `Telegram refused ${method}: ${description} (${code}).`;
  if (code === 429) return { kind: "limited", waitMs: (parameters.retry_after ?? 1) * 1000, text };
  // A token that does not even look like one is answered with 404.
  if (code === 401 || (code === 404 && method === "getMe")) return { kind: "denied", text };
  if (code === 409)
    return { kind: "down", text: `${text} End the other program that asks for its updates, or delete its webhook.` };
  return { kind: code >= 500 ? "down" : "refused", text };
}

/** For `catch`. */
function toCallError(error: unknown): never {
  throw new CallError(readFault(error));
}

/** A message that has the text already is not changed: that is no failure. */
function ignoreSame(error: unknown): void {
  if (!(error instanceof GrammyError) || !error.description.includes("message is not modified")) throw error;
}

/** The chat, by its number or its public name, and what an answer in it names besides. */
function readTarget({ chat_id, message_id, thread_id }: Record<string, unknown>) {
  if (typeof chat_id !== "number" && typeof chat_id !== "string")
    throw new CallError({ kind: "refused", text: "The reply target names no chat of Telegram." });
  return {
    chat_id,
    ...(typeof thread_id === "number" && { message_thread_id: thread_id }),
    ...(typeof message_id === "number" && { reply_parameters: { message_id, allow_sending_without_reply: true } }),
  };
}
