import type { Service, ServiceAnswer } from "../service.ts";
import { field } from "../settings.ts";
import { bearer, toList, toObject, toText, toUsage } from "../shapes.ts";

type Json = Record<string, unknown>;

/** Agents and workflows of Alibaba Cloud Model Studio. */
export const dashscope: Service = {
  ...{ name: "dashscope", label: "DashScope", description: "An application of Alibaba Cloud Model Studio." },
  fields: [
    field("app-id", "string", "Id of the application."),
    field("parameters", "json", "Values for the variables of the application.", { default: {} }),
    field("references", "boolean", "Whether the sources of an answer are named below it.", { default: false }),
  ],
  required: ["base-url", "api-key", "app-id"],
  // Pictures are taken by public addresses only, which messages of users do not have.
  ...{ timeoutSeconds: 120, takesFiles: false, authorize: bearer },
  async *ask({ settings, http, text, conversation, streams, fail }) {
    const path = `/api/v1/apps/${encodeURIComponent(settings.text("app-id"))}/completion`;
    const input = {
      prompt: text,
      ...(conversation && { session_id: conversation }),
      biz_params: settings.object("parameters"),
    };
    const json = { input, parameters: streams ? { incremental_output: true } : {}, debug: {} };
    const finish = (whole: Json, said: string): ServiceAnswer => {
      const output = toObject(whole.output);
      const [model] = toList(toObject(whole.usage).models).map(toObject);
      const sources = settings.flag("references") && said !== "" ? listReferences(output) : "";
      const answer = { text: said + sources, conversation: toText(output.session_id) };
      return { ...answer, ...toUsage(model?.input_tokens, model?.output_tokens) };
    };
    if (!streams) {
      const whole = await http.json(path, { json });
      return finish(whole, toText(toObject(whole.output).text));
    }
    let said = "";
    let last: Json = {};
    for await (const { event, data } of http.events(path, { json, headers: { "x-dashscope-sse": "enable" } })) {
      const body = toObject(data);
      if (event === "error" || (body.code && body.message)) fail(`${body.message} (${body.code})`);
      // What was told before stays: the last event may leave it out.
      last = { ...body, output: { ...toObject(last.output), ...toObject(body.output) } };
      const piece = toText(toObject(body.output).text);
      said += piece;
      yield piece;
    }
    return finish(last, said);
  },
};

function listReferences({ doc_references }: Json): string {
  const lines = toList(doc_references)
    .map(toObject)
    .map(({ index_id, doc_name, title }) => `[${toText(index_id)}] ${toText(doc_name) || toText(title)}`);
  return lines.length === 0 ? "" : `\n\n${lines.join("\n")}`;
}
