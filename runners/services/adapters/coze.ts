import { setTimeout as sleep } from "node:timers/promises";
import type { Service, ServiceAnswer, ServiceCall } from "../service.ts";
import { field } from "../settings.ts";
import { bearer, toList, toObject, toText, toUsage } from "../shapes.ts";

type Json = Record<string, unknown>;

const POLL_MS = 500;
const FAILED = ["failed", "requires_action", "canceled"];

/** Bots of Coze. */
export const coze: Service = {
  ...{ name: "coze", label: "Coze", description: "A bot of Coze." },
  fields: [field("bot-id", "string", "Id of the bot.")],
  required: ["base-url", "api-key", "bot-id"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize: bearer },
  async *ask(call) {
    const { settings, http, user, streams, conversation } = call;
    const json = {
      ...{ bot_id: settings.text("bot-id"), user_id: user, stream: streams, auto_save_history: true },
      additional_messages: [{ role: "user", ...(await writeContent(call)) }],
    };
    const request = { json, query: { conversation_id: conversation ?? undefined } };
    if (streams) return yield* readStream(call, request);
    return waitFor(call, readData(call, await http.json("/v3/chat", request)));
  },
};

async function writeContent({ text, files, http, ...call }: ServiceCall): Promise<Json> {
  if (files.length === 0) return { content: text, content_type: "text" };
  const parts: Json[] = text === "" ? [] : [{ type: "text", text }];
  for (const { name, mime, bytes } of files) {
    const form = new FormData();
    form.set("file", new Blob([bytes], { type: mime }), name);
    const { id } = readData(call, await http.json("/v1/files/upload", { form }));
    parts.push({ type: mime.startsWith("image/") ? "image" : "file", file_id: id });
  }
  return { content: JSON.stringify(parts), content_type: "object_string" };
}

/** Errors come with the status 200 and a code that is not 0. */
function readData({ fail }: Pick<ServiceCall, "fail">, { code, msg, data }: Json): Json {
  if (code !== 0) fail(`${msg} (${code})`);
  return toObject(data);
}

async function* readStream(
  call: ServiceCall,
  request: { json: Json; query: Record<string, string | undefined> },
): AsyncGenerator<string, ServiceAnswer, void> {
  let text = "";
  let conversation: string | null = null;
  let usage: Json = {};
  for await (const { event, data } of call.http.events("/v3/chat", request)) {
    const details = toObject(data);
    conversation = toText(details.conversation_id) || conversation;
    // A refusal comes as JSON in place of a stream, or as an event.
    if (event === "error" || (typeof details.code === "number" && details.code !== 0))
      call.fail(`${details.msg ?? details.error_message} (${details.code})`);
    if (event === "conversation.chat.failed") call.fail(toObject(details.last_error).msg);
    if (event === "conversation.chat.requires_action")
      call.fail("The bot waits for a tool of its caller, and there is none.");
    if (event === "conversation.chat.completed") usage = toObject(details.usage);
    if (event !== "conversation.message.delta" || details.type !== "answer") continue;
    const piece = toText(details.content);
    text += piece;
    yield piece;
  }
  return { text, conversation, ...usageOf(usage) };
}

const usageOf = ({ input_count, output_count }: Json) => toUsage(input_count, output_count);

/** Without a stream the answer is fetched when it is there. */
async function waitFor(call: ServiceCall, chat: Json): Promise<ServiceAnswer> {
  const query = { conversation_id: toText(chat.conversation_id), chat_id: toText(chat.id) };
  let state = chat;
  while (state.status !== "completed") {
    if (FAILED.includes(toText(state.status)))
      call.fail(toObject(state.last_error).msg || `The chat is ${state.status}.`);
    await sleep(POLL_MS, undefined, { signal: call.ctx.signal });
    state = readData(call, await call.http.json("/v3/chat/retrieve", { method: "GET", query }));
  }
  const body = await call.http.json("/v3/chat/message/list", { method: "GET", query });
  readData(call, body);
  const answers = toList(body.data)
    .map(toObject)
    .filter(({ type }) => type === "answer");
  const text = answers.map(({ content }) => toText(content)).join("\n\n");
  return { text, conversation: query.conversation_id, ...usageOf(toObject(state.usage)) };
}
