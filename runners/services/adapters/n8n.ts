import type { Service, ServiceCall, Settings } from "../service.ts";
import { field } from "../settings.ts";
import { toList, toObject, toText } from "../shapes.ts";

type Json = Record<string, unknown>;

/** Workflows of n8n that begin with a chat trigger or a webhook. */
export const n8n: Service = {
  ...{ name: "n8n", label: "n8n", description: "A workflow of n8n, by its webhook." },
  fields: [
    field("webhook-url", "string", "Address of the webhook, as its node shows it."),
    field("auth-type", "select", "none, basic, bearer or header.", {
      default: "none",
      options: ["none", "basic", "bearer", "header"].map((name) => ({ name })),
    }),
    field("auth-user", "string", "The user, for basic; the password is the key."),
    field("auth-header", "string", "Name of the header that holds the key, for header.", { default: "X-API-Key" }),
    field("output-key", "string", "The field of the answer that holds the text.", { default: "output" }),
    field("streams", "boolean", "Whether the workflow answers in a stream.", { default: false }),
  ],
  required: ["webhook-url"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize },
  async *ask(call) {
    const request = writeRequest(call);
    const conversation = call.conversation ?? call.ownConversation;
    if (!call.settings.flag("streams"))
      return { text: readOutput(call, await call.http.json("", request)), conversation };
    let text = "";
    for await (const line of call.http.lines("", request)) {
      const { type, content } = line;
      if (type === "error") call.fail(content ?? line);
      // A workflow that does not stream answers with one object all the same.
      const piece = type === undefined ? readOutput(call, line) : type === "item" ? toText(content) : "";
      text += piece;
      yield piece;
    }
    return { text, conversation };
  },
};

function authorize(settings: Settings): Record<string, string> {
  const key = settings.text("api-key");
  switch (settings.text("auth-type")) {
    case "basic":
      return { authorization: `Basic ${Buffer.from(`${settings.text("auth-user")}:${key}`).toString("base64")}` };
    case "bearer":
      return { authorization: `Bearer ${key}` };
    case "header":
      return { [settings.text("auth-header")]: key };
    default:
      return {};
  }
}

/** As the chat of n8n sends it: files make a form of it. */
function writeRequest({ text, files, user, ownConversation, conversation }: ServiceCall) {
  const fields = { action: "sendMessage", sessionId: conversation ?? ownConversation, chatInput: text };
  if (files.length === 0) return { json: { ...fields, metadata: { user } } };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { name, mime, bytes } of files) form.append("files", new Blob([bytes], { type: mime }), name);
  return { form };
}

/** A webhook answers with one item or a list of items; the text is under the key of the settings, or a usual one. */
function readOutput({ settings, fail }: ServiceCall, body: Json): string {
  const item = toObject(Array.isArray(body) ? toList(body)[0] : body);
  const keys = [settings.text("output-key"), "output", "text", "response", "message"];
  for (const key of keys) if (toText(item[key]) !== "") return toText(item[key]);
  if (keys.some((key) => item[key] === "")) return "";
  return Object.keys(item).length === 0
    ? ""
    : fail(`The answer has none of the fields ${[...new Set(keys)].join(", ")}.`);
}
