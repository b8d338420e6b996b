import { DrydockError, HOST_LIMITS } from "@drydock/protocol";
import type { SourceContext, SourceDelivery, SourceEvent } from "../adapter.ts";
import { type Admission, admitMessage, createRefusals } from "./admit-message.ts";
import { CallError } from "./call-fault.ts";
import { type ChatFile, type ChatMessage, toSourceEvent } from "./chat-message.ts";
import type { ChatSettings } from "./chat-settings.ts";
import type { JoinedThreads } from "./joined-threads.ts";

type IncomingFile = NonNullable<SourceEvent["files"]>[number];

export type ChatWords = Pick<SourceDelivery, "target" | "text" | "signal">;

/** What a chat platform does for the desk. Each call waits as the platform demands, and rejects with a `CallError`. */
export interface ChatPlatform {
  /** The bytes of a file; null where there are more than may be. */
  download(file: ChatFile, maxBytes: number): Promise<Buffer | null>;
  send(words: ChatWords): Promise<unknown>;
  upload(place: Omit<ChatWords, "text">, file: IncomingFile): Promise<void>;
}

interface DeskOptions {
  /** Where a message in a thread that the bot has joined need not name it. */
  threads?: JoinedThreads | null;
}

interface ChatDesk {
  /** Takes a message in. Resolves when it is on record, refused or ignored; rejects where it could not be recorded. */
  take(message: ChatMessage): Promise<Admission>;
  /** Sends a message with its files, as far as they may be so large. Gives what `send` gave; null where there were no words. */
  deliver(delivery: SourceDelivery): Promise<unknown>;
}

const MEGABYTE = 1_000_000;

/** What all chat platforms have in common: which messages are taken, with which files, and what is said besides the answer. */
export function createChatDesk(
  context: SourceContext<ChatSettings>,
  platform: ChatPlatform,
  { threads = null }: DeskOptions = {},
): ChatDesk {
  const { settings } = context;
  const refusals = createRefusals(context.now);
  const maxBytes = Math.floor(settings.max_file_mb * MEGABYTE);
  const tooLarge = `has more than ${settings.max_file_mb} MB`;

  const refuse = async ({ chat, actor, target }: ChatMessage) => {
    const told = refusals.note(chat.id);
    if (!told) return;
    const name = chat.name === null ? "" : ` (${JSON.stringify(chat.name.slice(0, 80))})`;
    const more = told.untold === 0 ? "" : ` So were ${told.untold} before it.`;
    context.refuse(
      `A message of ${actor.id} in the chat ${chat.id}${name} was refused: the setting \`chats\` does not name this chat.${more}`,
    );
    const { refusal } = settings;
    if (refusal) await platform.send({ target, text: refusal, signal: context.signal }).catch(() => {});
  };

  const fetchFiles = async (files: readonly ChatFile[]) => {
    const taken: IncomingFile[] = [];
    const notes: string[] = [];
    let left: number = HOST_LIMITS.fileBytes;
    for (const file of files) {
      const { name, mime } = file;
      const leaveOut = (reason: string) => notes.push(`[The file ${name} was not passed on. ${reason}]`);
      if (taken.length >= HOST_LIMITS.files || left === 0) leaveOut("The message has too many files.");
      else if ((file.bytes ?? 0) > Math.min(maxBytes, left)) leaveOut(`It ${tooLarge}.`);
      else {
        try {
          const bytes = await platform.download(file, Math.min(maxBytes, left));
          if (bytes) taken.push({ name, mime, bytes });
          else leaveOut(`It ${tooLarge}.`);
          left -= bytes?.length ?? 0;
        } catch (error) {
          if (!(error instanceof CallError)) throw error;
          leaveOut(error.message);
        }
      }
    }
    return { taken, notes };
  };

  return {
    async take(message) {
      const { id: chat, thread } = message.chat;
      const isAddressed = message.isAddressed || (thread !== null && threads?.has(chat, thread) === true);
      const admission = admitMessage({ ...message, isAddressed }, settings);
      if (admission === "refused") await refuse(message);
      if (admission !== "taken") return admission;
      const { taken, notes } = await fetchFiles(message.files);
      if (message.text === "" && taken.length === 0 && notes.length === 0) return "ignored";
      try {
        await context.emit(toSourceEvent(message, taken, notes));
      } catch (error) {
        // The platform would deliver it again and again: it is on record as refused instead.
        if (!(error instanceof DrydockError) || error.code !== "input.invalid") throw error;
        context.refuse(`The message ${message.id} of the chat ${message.chat.id} was refused: ${error.message}`);
        return "refused";
      }
      if (thread !== null) await threads?.add(chat, thread);
      return admission;
    },
    async deliver({ target, text, signal, files }) {
      const sent = text.trim() === "" ? null : await platform.send({ target, text, signal });
      for (const { name, mime, size, read } of files) {
        const place = { target, signal };
        if (size > maxBytes) await platform.send({ ...place, text: `The file ${name} is not sent: it ${tooLarge}.` });
        else await platform.upload(place, { name, mime, bytes: await read() });
      }
      return sent;
    },
  };
}
