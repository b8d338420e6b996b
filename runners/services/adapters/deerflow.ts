import type { Service, ServiceCall, Settings } from "../service.ts";
import { field } from "../settings.ts";
import { bearer, toList, toObject, toText } from "../shapes.ts";

type Json = Record<string, unknown>;

const MAX_FAILURES = 5;

/** The agent of DeerFlow, by the HTTP interface of LangGraph. */
export const deerflow: Service = {
  ...{ name: "deerflow", label: "DeerFlow", description: "A researching agent of DeerFlow." },
  fields: [
    field(
      "auth-header",
      "secret",
      "In place of the key: name of the secret that holds the whole Authorization header.",
    ),
    field("assistant-id", "string", "The graph that answers.", { default: "lead_agent" }),
    field("model-name", "string", "The model; empty: the default of DeerFlow."),
    field("thinking-enabled", "boolean", "Whether the model thinks first.", { default: false }),
    field("plan-mode", "boolean", "Whether it plans first.", { default: false }),
    field("subagent-enabled", "boolean", "Whether it may use sub-agents.", { default: false }),
    field("max-concurrent-subagents", "integer", "How many of them at once.", { default: 3 }),
    field("recursion-limit", "integer", "The most steps of one answer.", { default: 1000 }),
  ],
  required: ["base-url"],
  ...{ timeoutSeconds: 300, takesFiles: true, authorize, stateKey: "external.thread_id" },
  async *ask(call) {
    const thread = call.conversation ?? (await createThread(call));
    const reader = createReader(call.streams);
    const path = `/api/langgraph/threads/${encodeURIComponent(thread)}/runs/stream`;
    for await (const { event, data } of call.http.events(path, { json: writeRun(call, thread) })) {
      if (event === "error") call.fail(toObject(data).message ?? toObject(data).error ?? data);
      yield reader.take(event, data);
    }
    return { text: reader.finish(call), conversation: thread };
  },
};

function authorize(settings: Settings): Record<string, string> {
  const header = settings.text("auth-header");
  return header === "" ? bearer(settings) : { authorization: header };
}

async function createThread({ http, fail }: ServiceCall): Promise<string> {
  const { thread_id } = await http.json("/api/langgraph/threads", { json: { metadata: {} } });
  return typeof thread_id === "string" ? thread_id : fail("A thread was created without an id.");
}

function writeRun({ settings, text, files }: ServiceCall, thread_id: string): Json {
  const pictures = files
    .filter(({ mime }) => mime.startsWith("image/"))
    .map(({ mime, bytes }) => ({
      type: "image_url",
      image_url: { url: `data:${mime};base64,${Buffer.from(bytes).toString("base64")}` },
    }));
  const content = pictures.length === 0 ? text : [{ type: "text", text }, ...pictures];
  const context = {
    thread_id,
    thinking_enabled: settings.flag("thinking-enabled"),
    is_plan_mode: settings.flag("plan-mode"),
    subagent_enabled: settings.flag("subagent-enabled"),
    max_concurrent_subagents: settings.count("max-concurrent-subagents", 3),
    ...(settings.text("model-name") !== "" && { model_name: settings.text("model-name") }),
  };
  return {
    assistant_id: settings.text("assistant-id"),
    input: { messages: [{ role: "user", content }] },
    stream_mode: ["values", "messages-tuple", "custom"],
    config: { recursion_limit: settings.count("recursion-limit", 1000) },
    context,
  };
}

/** Three kinds of events tell of one answer: the state so far, pieces of messages, and what becomes of sub-tasks. */
function createReader(streams: boolean) {
  let shown = "";
  let latest = "";
  let question = "";
  const failures = new Set<string>();
  const before = new Set<string>();
  let isFirst = true;
  return {
    take(event: string, data: unknown): string {
      if (event === "values") {
        const messages = messagesOf(data);
        // What the thread held before this run is no answer to it.
        if (isFirst) for (const { id } of messages) before.add(toText(id));
        isFirst = false;
        const fresh = messages.filter(({ id }) => !before.has(toText(id)));
        latest = textOf(fresh.findLast(isAnswer)?.content) || latest;
        question = textOf(fresh.findLast(isQuestion)?.content) || question;
      } else if (event === "messages-tuple" || event === "messages") {
        const message = toObject(Array.isArray(data) ? data[0] : data);
        if (isQuestion(message)) question = textOf(message.content) || question;
        const piece = isAnswer(message) ? textOf(message.content) : "";
        shown += piece;
        return streams ? piece : "";
      } else if (event === "custom") for (const item of toList([data].flat(2))) noteFailure(toObject(item), failures);
      return "";
    },
    finish({ fail }: ServiceCall): string {
      const text = question || latest || shown;
      if (text === "" && failures.size > 0)
        fail(`Sub-tasks failed: ${[...failures].slice(0, MAX_FAILURES).join("; ")}`);
      return text;
    },
  };
}

function messagesOf(data: unknown): Json[] {
  const state = toObject(data);
  return toList(state.messages ?? toObject(state.values).messages).map(toObject);
}

const isAnswer = ({ type, role }: Json) => /^(ai|assistant|AIMessage(Chunk)?)$/.test(toText(type) || toText(role));
const isQuestion = ({ type, name }: Json) => type === "tool" && name === "ask_clarification";

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return toList(content)
    .map((part) => (typeof part === "string" ? part : toText(toObject(part).text)))
    .join("");
}

function noteFailure({ type, task_id, error }: Json, failures: Set<string>): void {
  if (type !== "task_failed" && type !== "task_timed_out") return;
  failures.add(
    [toText(task_id), textOf(error) || toText(toObject(error).message) || "no reason given"].filter(Boolean).join(": "),
  );
}
