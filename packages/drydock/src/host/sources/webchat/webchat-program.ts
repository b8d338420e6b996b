import type { SourceEvent, SourceProgram, SourceRequest } from "../adapter.ts";
import { createMessageCount } from "./count-messages.ts";
import { conversationOfVisitor, VISITOR_HEADER } from "./visitor.ts";
import type { WebchatSettings } from "./webchat-type.ts";

const MAX_TEXT_CHARS = 10_000;
const MAX_FILES = 5;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MESSAGE_ID = /^[A-Za-z0-9_-]{8,64}$/;

type Message = Required<Pick<SourceEvent, "id" | "files">> & Pick<SourceEvent, "text">;

/** Takes messages of visitors. What is said to them they read from their conversation. */
export const webchatProgram: SourceProgram<WebchatSettings> = {
  async start(context) {
    const { settings, emit, refuse, now } = context;
    const count = createMessageCount(settings.messages_per_minute, now);
    return {
      async receive(request) {
        const conversation = conversationOfVisitor(request.headers.get(VISITOR_HEADER));
        if (conversation === null) return answer(401, { error: "Who is it? The visitor's token is missing." });
        const message = await readMessage(request, settings);
        if (typeof message === "string") return answer(400, { error: message });
        if (!count.take(conversation)) {
          refuse(`A visitor of the chat sends more than ${settings.messages_per_minute} messages in a minute.`);
          return answer(429, { error: "That is too fast. Wait a minute." }, { "retry-after": "60" });
        }
        const { kind, eventId } = await emit({
          ...message,
          ...{ type: "message.received", time: now() / 1000 },
          conversation: { conversation_id: conversation, launcher_type: "person" },
          actor: { actor_type: "visitor", actor_id: conversation },
        });
        return answer(kind === "accepted" ? 202 : 200, { kind, eventId });
      },
      async stop() {},
    };
  },
  async test({ settings }) {
    const where =
      settings.origins.length === 0 ? "no site may embed it" : `it may be embedded by ${settings.origins.join(", ")}`;
    return `The chat needs no other service; ${where}.`;
  },
};

/** What is wrong with it, where it can't be read. */
async function readMessage({ headers, body }: SourceRequest, settings: WebchatSettings): Promise<Message | string> {
  const type = headers.get("content-type") ?? "";
  if (!/^multipart\/form-data *;/i.test(type)) return "A message is sent as a form.";
  // A copy: its type says that nobody shares the bytes.
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData()
    .catch(() => null);
  if (!form) return "The form can't be read.";
  const [id, written] = [form.get("id"), form.get("text") ?? ""];
  // In a form, every line ends with CR and LF.
  const text = typeof written === "string" ? written.replaceAll("\r\n", "\n") : null;
  if (typeof id !== "string" || !MESSAGE_ID.test(id)) return "A message has an id of 8 to 64 letters and digits.";
  if (text === null || text.length > MAX_TEXT_CHARS) return `A message has at most ${MAX_TEXT_CHARS} characters.`;
  const sent = form.getAll("file").filter((file) => typeof file !== "string");
  if (sent.length > 0 && !settings.files) return "This chat takes no files.";
  if (sent.length > MAX_FILES) return `A message has at most ${MAX_FILES} files.`;
  if (sent.some(({ size }) => size > MAX_FILE_BYTES)) return `A file has at most ${MAX_FILE_BYTES / 1024 / 1024} MB.`;
  if (text.trim() === "" && sent.length === 0) return "The message is empty.";
  const files = [];
  for (const file of sent)
    files.push({ name: file.name, mime: file.type, bytes: new Uint8Array(await file.arrayBuffer()) });
  return { id, ...(text.trim() !== "" && { text }), files };
}

function answer(status: number, value: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });
}
