import type { ServerResponse } from "node:http";
import { type PlatformAnswer, type PlatformForm, respond, startPlatformServer } from "./start-platform-server.ts";

export interface TelegramCall extends PlatformForm {
  method: string;
}

interface ShownMessage {
  id: number;
  chat: string;
  text: string;
  thread: string | null;
  answers: number | null;
  edits: number;
}

type Said = { chat: Record<string, unknown> } & Record<string, unknown>;

const BOT = { id: 4242, is_bot: true, first_name: "Dock", username: "dock_bot", can_read_all_group_messages: false };

/**
 * The Bot API of Telegram: long polling with confirmed updates, messages with their edits, files both ways. It speaks the
 * documented protocol; what it holds is what people would see.
 */
export async function startTelegramServer(token: string) {
  const calls: TelegramCall[] = [];
  const shown: ShownMessage[] = [];
  const sentFiles: { chat: string; method: string; name: string; bytes: Buffer }[] = [];
  const contents = new Map<string, Buffer>();
  let updates: Record<string, unknown>[] = [];
  let polls: { response: ServerResponse; timer: NodeJS.Timeout }[] = [];
  let lastUpdate = 1000;
  let lastMessage = 1;
  let refusals: { status: number; retryAfter?: number; description: string; method: string }[] = [];

  const ok = (result: unknown): PlatformAnswer => ({ json: { ok: true, result } });
  const fail = (code: number, description: string, parameters?: object): PlatformAnswer => ({
    status: code,
    json: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
  });

  const flush = () => {
    if (updates.length === 0) return;
    const waiting = polls;
    polls = [];
    for (const { response, timer } of waiting) {
      clearTimeout(timer);
      respond(response, { json: { ok: true, result: updates } });
    }
  };

  const send = (form: PlatformForm, text: string) => {
    const { chat_id, message_thread_id, reply_parameters } = form.fields;
    const answers = typeof reply_parameters === "string" ? JSON.parse(reply_parameters) : reply_parameters;
    const message = {
      ...{ id: lastMessage++, chat: String(chat_id), text, edits: 0 },
      thread: message_thread_id === undefined ? null : String(message_thread_id),
      answers: Object(answers).message_id ?? null,
    };
    shown.push(message);
    return ok({ message_id: message.id, date: 0, chat: { id: Number(chat_id), type: "private" }, text });
  };

  const methods: Record<string, (form: PlatformForm, response: ServerResponse) => PlatformAnswer> = {
    getMe: () => ok(BOT),
    getUpdates({ fields }, response) {
      const offset = Number(fields.offset ?? 0);
      updates = updates.filter(({ update_id }) => Number(update_id) >= offset);
      if (updates.length > 0) return ok(updates);
      const timer = setTimeout(
        () => respond(response, { json: { ok: true, result: [] } }),
        Number(fields.timeout) * 1000,
      );
      response.on("close", () => clearTimeout(timer));
      polls.push({ response, timer });
      return null;
    },
    sendMessage: (form) => send(form, String(form.fields.text).trim()),
    editMessageText({ fields }) {
      const message = shown.find(({ id }) => id === Number(fields.message_id));
      if (!message) return fail(400, "Bad Request: message to edit not found");
      const text = String(fields.text).trim();
      if (message.text === text) return fail(400, "Bad Request: message is not modified");
      message.text = text;
      message.edits++;
      return ok({ message_id: message.id, date: 0, chat: { id: Number(message.chat), type: "private" } });
    },
    deleteMessage({ fields }) {
      const at = shown.findIndex(({ id }) => id === Number(fields.message_id));
      if (at < 0) return fail(400, "Bad Request: message to delete not found");
      shown.splice(at, 1);
      return ok(true);
    },
    getFile({ fields }) {
      const id = String(fields.file_id);
      const found = contents.get(id);
      if (!found) return fail(400, "Bad Request: wrong file_id or the file is temporarily unavailable");
      return ok({ file_id: id, file_unique_id: id, file_size: found.length, file_path: `documents/${id}` });
    },
  };
  for (const method of ["sendDocument", "sendPhoto"])
    methods[method] = (form) => {
      const [file] = form.files;
      if (!file) return fail(400, "Bad Request: there is no file in the request");
      sentFiles.push({ chat: String(form.fields.chat_id), method, name: file.name, bytes: file.bytes });
      return send(form, "");
    };

  const platform = await startPlatformServer(async ({ url, form }, response) => {
    const [, kind = "", rest = "", ...path] = url.pathname.split("/");
    if (kind === "file" && rest === `bot${token}`) {
      const bytes = contents.get(path.at(-1) ?? "");
      return bytes ? { bytes } : { status: 404 };
    }
    if (kind !== `bot${token}`) return fail(401, "Unauthorized");
    const read = await form();
    calls.push({ method: rest, ...read });
    const refusal = refusals.find(({ method }) => method === rest);
    if (refusal) {
      refusals = refusals.filter((each) => each !== refusal);
      const { status, description, retryAfter } = refusal;
      return fail(status, description, retryAfter === undefined ? undefined : { retry_after: retryAfter });
    }
    return methods[rest]?.(read, response) ?? (methods[rest] ? null : fail(404, "Not Found"));
  });

  const put = (...all: Record<string, unknown>[]) => {
    updates.push(...all);
    flush();
  };
  const makeUpdate = (message: Said, kind = "message") => {
    // A direct chat has the number of the person.
    const writer = message.chat.type === "private" ? message.chat.id : 77;
    const from = { id: writer, is_bot: false, first_name: "Ann", last_name: "Lee", username: "ann" };
    const id = Number(message.message_id ?? lastMessage++);
    return { update_id: lastUpdate++, [kind]: { date: 1_700_000_000, from, ...message, message_id: id } };
  };
  return {
    ...{ calls, shown, sentFiles },
    root: `http://127.0.0.1:${platform.port}`,
    goDown: platform.goDown,
    comeBack: platform.comeBack,
    /** How many questions for updates wait for an answer. */
    waiting: () => polls.filter(({ response }) => !response.writableEnded && !response.destroyed).length,
    textsOf: (chat: number) => shown.filter((each) => each.chat === String(chat)).map(({ text }) => text),
    addFile(id: string, bytes: Buffer) {
      contents.set(id, bytes);
    },
    /** The next calls of a method fail. */
    refuseNext(method: string, status: number, description: string, retryAfter?: number) {
      refusals.push({ method, status, description, retryAfter });
    },
    /** A person writes. Gives the update, which can be sent again. */
    say(message: Said, kind?: string) {
      const update = makeUpdate(message, kind);
      put(update);
      return update;
    },
    /** An update that is none but for its number. */
    sayOdd: (odd: Record<string, unknown>) => put({ update_id: lastUpdate++, ...odd }),
    /** Several messages that come together. */
    sayAll: (messages: Said[]) => put(...messages.map((message) => makeUpdate(message))),
    /** The same once more, as after a confirmation that was lost. */
    repeat(update: Record<string, unknown>) {
      put({ ...update, update_id: lastUpdate++ });
    },
    async close() {
      for (const { timer } of polls) clearTimeout(timer);
      await platform.close();
    },
  };
}
