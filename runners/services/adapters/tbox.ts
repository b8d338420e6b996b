import type { Service, ServiceCall, Settings } from "../service.ts";
import { field } from "../settings.ts";
import { toList, toObject, toText } from "../shapes.ts";

type Json = Record<string, unknown>;

/** Agents of Tbox, by Ant Group. */
export const tbox: Service = {
  ...{ name: "tbox", label: "Tbox", description: "An agent of Tbox." },
  fields: [
    field("app-id", "string", "Id of the application."),
    field("search", "boolean", "Whether it may search the web.", { default: false }),
  ],
  required: ["base-url", "api-key", "app-id"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize },
  async *ask(call) {
    const { settings, http, text, user, streams, conversation } = call;
    const json = {
      ...{ appId: settings.text("app-id"), query: text, userId: user, stream: streams },
      ...(conversation && { conversationId: conversation }),
      ...(settings.flag("search") && { searchEngine: true }),
      files: await uploadFiles(call),
    };
    if (!streams) {
      const data = readData(call, await http.json("/api/chat", { json }));
      const said = toList(data.result).map((part) => toText(toObject(part).chunk));
      return { text: said.join(""), conversation: toText(data.conversationId) };
    }
    let said = "";
    let id = "";
    for await (const { event, data } of http.events("/api/chat", { json, headers: { accept: "text/event-stream" } })) {
      const { type, payload, ...rest } = toObject(data);
      if (event === "error" || type === "error") call.fail(rest.message ?? rest.errorMsg ?? payload ?? rest);
      const details = toObject(payload);
      id = toText(details.conversationId) || id;
      if (type !== "chunk") continue;
      const piece = toText(details.text);
      said += piece;
      yield piece;
    }
    return { text: said, conversation: id };
  },
};

/** The token stands in the header as it is. */
function authorize(settings: Settings): Record<string, string> {
  return { authorization: settings.text("api-key") };
}

async function uploadFiles(call: ServiceCall): Promise<Json[]> {
  const uploaded: Json[] = [];
  for (const { name, mime, bytes } of call.files) {
    const form = new FormData();
    form.set("file", new Blob([bytes], { type: mime }), name);
    const body = await call.http.json("/api/file/upload", { form });
    readData(call, body);
    const kind = /^(image|audio|video)\//.exec(mime)?.[1]?.toUpperCase() ?? "FILE";
    uploaded.push({ type: kind, fileId: body.data });
  }
  return uploaded;
}

function readData({ fail }: ServiceCall, { errorCode, errorMsg, data }: Json): Json {
  if (String(errorCode) !== "0") fail(`${errorMsg} (${errorCode})`);
  return toObject(data);
}
