import type { Service, ServiceCall, Settings } from "../service.ts";
import { field } from "../settings.ts";
import { toList, toObject, toText } from "../shapes.ts";

type Json = Record<string, unknown>;

const AGENTS: Readonly<Record<string, string>> = { agent: "builtin-smart-reasoning", chat: "builtin-quick-answer" };

/** Agents and knowledge bases of WeKnora. It always answers in a stream. */
export const weknora: Service = {
  ...{ name: "weknora", label: "WeKnora", description: "An agent or a knowledge base of WeKnora." },
  fields: [
    field("app-type", "select", "agent, which reasons, or chat, which answers from knowledge bases.", {
      default: "agent",
      options: [{ name: "agent" }, { name: "chat" }],
    }),
    field("agent-id", "string", "The agent; empty: the one of WeKnora for the type."),
    field("knowledge-base-ids", "array[string]", "Ids of knowledge bases.", { default: [] }),
    field("web-search-enabled", "boolean", "Whether the agent may search the web.", { default: false }),
    field("references", "boolean", "Whether the sources of an answer are named below it.", { default: false }),
  ],
  required: ["base-url", "api-key"],
  ...{ timeoutSeconds: 120, takesFiles: true, authorize, stateKey: "external.session_id" },
  async *ask(call) {
    const session = call.conversation ?? (await createSession(call));
    const isAgent = call.settings.text("app-type") !== "chat";
    const path = `/${isAgent ? "agent" : "knowledge"}-chat/${encodeURIComponent(session)}`;
    let text = "";
    const sources = new Set<string>();
    for await (const { data } of call.http.events(path, { json: writeQuery(call, isAgent) })) {
      const { response_type, content, knowledge_references } = toObject(data);
      for (const each of toList(knowledge_references)) {
        const { knowledge_title, knowledge_filename } = toObject(each);
        sources.add(toText(knowledge_title) || toText(knowledge_filename));
      }
      if (response_type === "error") call.fail(content);
      if (response_type !== "answer") continue;
      const piece = toText(content);
      text += piece;
      yield piece;
    }
    const named = call.settings.flag("references") && text !== "" ? [...sources].filter(Boolean) : [];
    return {
      text: [text, ...named.map((name) => `- ${name}`)].join(named.length > 0 ? "\n" : ""),
      conversation: session,
    };
  },
};

function authorize(settings: Settings): Record<string, string> {
  return { "x-api-key": settings.text("api-key") };
}

async function createSession({ http, fail }: ServiceCall): Promise<string> {
  const { success, data, error } = await http.json("/sessions", { json: {} });
  const { id } = toObject(data);
  return success !== false && typeof id === "string"
    ? id
    : fail(toObject(error).message ?? "A session was created without an id.");
}

function writeQuery({ settings, text, files }: ServiceCall, isAgent: boolean): Json {
  const agent_id = settings.text("agent-id") || AGENTS[isAgent ? "agent" : "chat"];
  const knowledge_base_ids = settings.list("knowledge-base-ids");
  const images = files
    .filter(({ mime }) => mime.startsWith("image/"))
    .map(({ mime, bytes }) => ({ data: `data:${mime};base64,${Buffer.from(bytes).toString("base64")}` }));
  return {
    ...{ query: text, channel: "api", agent_id },
    ...(knowledge_base_ids.length > 0 && { knowledge_base_ids }),
    ...(isAgent && { agent_enabled: true, web_search_enabled: settings.flag("web-search-enabled") }),
    ...(images.length > 0 && { images }),
  };
}
