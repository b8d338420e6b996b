import type { Service, ServiceCall, Settings } from "../service.ts";
import { field } from "../settings.ts";
import { toList, toObject, toText } from "../shapes.ts";

type Json = Record<string, unknown>;

/** Flows of Langflow. */
export const langflow: Service = {
  ...{ name: "langflow", label: "Langflow", description: "A flow of Langflow." },
  fields: [
    field("flow-id", "string", "Id or name of the flow."),
    field("tweaks", "json", "Values for components of the flow.", { default: {} }),
    field(
      "file-component",
      "string",
      "The component that gets files, such as ChatInput-a1b2c. Without it, none are sent.",
    ),
  ],
  required: ["base-url", "flow-id"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize },
  async *ask(call) {
    const { settings, http, text, streams } = call;
    const session_id = call.conversation ?? call.ownConversation;
    const flow = encodeURIComponent(settings.text("flow-id"));
    const tweaks = { ...settings.object("tweaks"), ...(await uploadFiles(call, flow)) };
    const json = { input_value: text, input_type: "chat", output_type: "chat", session_id, tweaks };
    const request = { json, query: { stream: String(streams) } };
    const path = `/api/v1/run/${flow}`;
    if (!streams) return readWhole(await http.json(path, request), session_id);
    let shown = "";
    for await (const { event, data } of http.lines(path, request)) {
      const details = toObject(data);
      if (event === "error") call.fail(details.error ?? details.text ?? details.message ?? details);
      if (event === "end") {
        const whole = readWhole(toObject(details.result), session_id);
        return { ...whole, text: whole.text || shown };
      }
      if (event !== "token") continue;
      const piece = toText(details.chunk);
      shown += piece;
      yield piece;
    }
    return { text: shown, conversation: session_id };
  },
};

function authorize(settings: Settings): Record<string, string> {
  const key = settings.text("api-key");
  return key === "" ? {} : { "x-api-key": key };
}

async function uploadFiles({ files, settings, http, fail }: ServiceCall, flow: string): Promise<Json> {
  const component = settings.text("file-component");
  if (component === "" || files.length === 0) return {};
  const paths: string[] = [];
  for (const { name, mime, bytes } of files) {
    const form = new FormData();
    form.set("file", new Blob([bytes], { type: mime }), name);
    const { file_path } = await http.json(`/api/v1/files/upload/${flow}`, { form });
    paths.push(typeof file_path === "string" ? file_path : fail("The upload of a file gave no path."));
  }
  return { [component]: { files: paths } };
}

function readWhole(body: Json, session: string) {
  const output = toObject(toList(toObject(toList(body.outputs)[0]).outputs)[0]);
  const message = toObject(toObject(output.results).message);
  const text = toText(message.text) || toText(toObject(toList(output.messages)[0]).message);
  return { text, conversation: toText(body.session_id) || session };
}
