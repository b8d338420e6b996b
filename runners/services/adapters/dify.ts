import { type RunnerResult, requestAction } from "@drydock/runner-sdk";
import type { Service, ServiceAnswer, ServiceCall } from "../service.ts";
import { field } from "../settings.ts";
import { bearer, toObject, toText, toUsage } from "../shapes.ts";

type Json = Record<string, unknown>;

/** Chat, agent and workflow apps of Dify. */
export const dify: Service = {
  ...{ name: "dify", label: "Dify", description: "An app of Dify." },
  fields: [
    field("app-type", "select", "chat, agent or workflow.", {
      default: "chat",
      options: ["chat", "agent", "workflow"].map((name) => ({ name })),
    }),
    field("inputs", "json", "Values for the variables of the app.", { default: {} }),
    field("query-variable", "string", "The variable of a workflow that gets the message.", { default: "query" }),
  ],
  required: ["base-url", "api-key"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize: bearer },
  async *ask(call) {
    const files = await uploadFiles(call);
    const isWorkflow = call.settings.text("app-type") === "workflow";
    // Agents answer in a stream only.
    const streams = call.streams || call.settings.text("app-type") === "agent";
    const common = { response_mode: streams ? "streaming" : "blocking", user: call.user, files };
    const inputs = call.settings.object("inputs");
    const [path, json] = isWorkflow
      ? ["/workflows/run", { ...common, inputs: { ...inputs, [call.settings.text("query-variable")]: call.text } }]
      : ["/chat-messages", { ...common, inputs, query: call.text, conversation_id: call.conversation ?? "" }];
    if (streams) return yield* readStream(call, path, json);
    return readWhole(call, await call.http.json(path, { json }));
  },
};

/** The user is a plain field of the form: a file of another user can't be used. */
async function uploadFiles({ files, http, user, fail }: ServiceCall): Promise<Json[]> {
  const uploaded: Json[] = [];
  for (const { name, mime, bytes } of files) {
    const form = new FormData();
    form.set("file", new Blob([bytes], { type: mime }), name);
    form.set("user", user);
    const { id } = await http.json("/files/upload", { form });
    if (typeof id !== "string") fail("The upload of a file gave no id.");
    const kind = /^(image|audio|video)\//.exec(mime)?.[1] ?? "document";
    uploaded.push({ type: kind, transfer_method: "local_file", upload_file_id: id });
  }
  return uploaded;
}

function readWhole(call: ServiceCall, body: Json): ServiceAnswer {
  const data = toObject(body.data);
  if (body.data !== undefined) return { text: readOutputs(call, data), ...usageOf({}) };
  const { usage } = toObject(body.metadata);
  return { text: toText(body.answer), conversation: toText(body.conversation_id), ...usageOf(toObject(usage)) };
}

const usageOf = ({ prompt_tokens, completion_tokens }: Json) => toUsage(prompt_tokens, completion_tokens);

async function* readStream(call: ServiceCall, path: string, json: Json): AsyncGenerator<string, ServiceAnswer, void> {
  let text = "";
  let isAgent = false;
  let conversation: string | null = null;
  let usage: Json = {};
  const results: RunnerResult[] = [];
  for await (const { data } of call.http.events(path, { json })) {
    const event = toObject(data);
    conversation = toText(event.conversation_id) || conversation;
    const details = toObject(event.data);
    const piece = toText(event.answer) || toText(details.text);
    switch (event.event) {
      case "agent_message":
        isAgent = true;
        text += piece;
        yield piece;
        break;
      case "message":
      case "text_chunk":
        // After the pieces of an agent, the message is the whole of them.
        if (isAgent) text = piece || text;
        else {
          text += piece;
          yield piece;
        }
        break;
      case "message_replace":
        text = piece;
        break;
      case "message_end":
        usage = toObject(toObject(event.metadata).usage);
        break;
      case "workflow_finished": {
        const outputs = readOutputs(call, details);
        text ||= outputs;
        break;
      }
      case "workflow_paused":
        results.push(
          requestAction("dify.resume", { target: { base_url: call.settings.text("base-url") }, payload: details }),
        );
        text += `${text === "" ? "" : "\n\n"}${describePause(details)}`;
        break;
      case "error":
        call.fail(event.message ?? event.code, { retryable: Number(event.status) >= 500 });
    }
  }
  return { text, conversation, results, ...usageOf(usage) };
}

/** The only text of the outputs, or all of them as JSON. */
function readOutputs(call: ServiceCall, { status, error, outputs }: Json): string {
  if (status === "failed" || status === "stopped") call.fail(error || `The workflow is ${status}.`);
  const values = Object.entries(toObject(outputs));
  const texts = values.filter(([, value]) => typeof value === "string");
  if (values.length === 0) return "";
  return values.length === 1 && texts.length === 1 ? String(texts[0]?.[1]) : JSON.stringify(outputs);
}

/** A person has to decide at Dify, or by the action that is asked for, before the workflow goes on. */
function describePause({ reasons }: Json): string {
  const words = (Array.isArray(reasons) ? reasons : []).map((reason) => toText(toObject(reason).form_content));
  return ["The workflow waits for a decision.", ...words].filter(Boolean).join("\n");
}
