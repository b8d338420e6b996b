import { setTimeout as sleep } from "node:timers/promises";
import { RunnerError } from "@drydock/runner-sdk";
import type { Service, ServiceCall } from "../service.ts";
import { field } from "../settings.ts";
import { bearer, toList, toObject, toText } from "../shapes.ts";

const NAME = "litellm-agent-platform";
const POLL_MS = 500;

/** Coding agents behind a LiteLLM Agent Platform: sessions, events that are sent, and events that come. */
export const litellmAgentPlatform: Service = {
  ...{ name: NAME, label: "LiteLLM Agent Platform", description: "An agent of a LiteLLM Agent Platform." },
  fields: [
    field("api-mode", "select", "managed: /v1/sessions; platform: /session.", {
      default: "managed",
      options: [{ name: "managed" }, { name: "platform" }],
    }),
    field("agent-id", "string", "Id of the agent."),
    field("harness", "string", "In place of an agent: the harness, such as claude-code or codex."),
    field("environment-id", "string", "The environment of the session, where the platform wants one."),
    field("model", "string", "The model; empty: that of the agent."),
  ],
  required: ["base-url"],
  ...{ timeoutSeconds: 300, takesFiles: false, authorize: bearer, stateKey: "external.session_id" },
  async *ask(call) {
    if (call.settings.text("agent-id") === "" && call.settings.text("harness") === "")
      throw new RunnerError(`${NAME}.config_invalid`, "One of the settings `agent-id` and `harness` is missing.");
    const isManaged = call.settings.text("api-mode") !== "platform";
    const session = call.conversation ?? (await createSession(call, isManaged ? "/v1/sessions" : "/session"));
    const text = `${describeRun(call)}\n\n${call.text}`;
    if (!isManaged) return { text: await askPlatform(call, session, text), conversation: session };
    return { text: yield* askManaged(call, session, text), conversation: session };
  },
};

async function createSession({ settings, http, fail, ownConversation }: ServiceCall, path: string): Promise<string> {
  const agent = settings.text("agent-id") || settings.text("harness");
  const environment_id = settings.text("environment-id");
  const model = settings.text("model");
  const json = { agent, title: ownConversation, ...(environment_id && { environment_id }), ...(model && { model }) };
  const body = await http.json(path, { json });
  const id = body.id ?? body.session_id ?? toObject(body.session).id;
  return typeof id === "string" ? id : fail("A session was created without an id.");
}

/** The harness names the run when it asks the host for something; it hears what there is. */
function describeRun({ ctx }: ServiceCall): string {
  const { models, tools, knowledge_bases } = ctx.resources;
  const names = (list: readonly string[]) => list.join(", ") || "none";
  return [
    `[host run ${ctx.run_id}]`,
    `tools: ${names(tools.map(({ tool_name }) => tool_name))}`,
    `knowledge bases: ${names(knowledge_bases.map(({ kb_name, kb_id }) => kb_name ?? kb_id))}`,
    `models: ${names(models.map(({ model_id }) => model_id))}`,
  ].join("\n");
}

/** Messages of the agent since the question, until the session is idle again. */
async function* askManaged(call: ServiceCall, session: string, text: string): AsyncGenerator<string, string, void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/events`;
  const list = async () => toList((await call.http.json(path, { method: "GET" })).data).map(toObject);
  let seen = (await list()).length;
  const model = call.settings.text("model");
  const events = [{ type: "user.message", content: [{ type: "text", text }] }];
  await call.http.json(path, { json: { events, ...(model && { model }) } });
  let said = "";
  for (;;) {
    const fresh = (await list()).slice(seen);
    seen += fresh.length;
    for (const { type, content, error } of fresh) {
      if (type === "session.status_error") call.fail(toObject(error).message ?? error);
      if (type === "session.status_idle") return said;
      const piece = type === "agent.message" ? textOf(content) : "";
      if (piece === "") continue;
      const next = said === "" ? piece : `\n\n${piece}`;
      said += next;
      yield next;
    }
    await sleep(POLL_MS, undefined, { signal: call.ctx.signal });
  }
}

/** The answer comes with the request, or is the next message of the assistant. */
async function askPlatform(call: ServiceCall, session: string, text: string): Promise<string> {
  const path = `/session/${encodeURIComponent(session)}/message`;
  const list = async () => toList(Object.values(await call.http.json(path, { method: "GET" }))).map(toObject);
  const before = (await list()).length;
  const json = { model: { modelID: call.settings.text("model") }, parts: [{ type: "text", text }] };
  const reply = await call.http.json(path, { json });
  if (reply.error) call.fail(toObject(reply.error).message ?? reply.error);
  const answered = textOf(reply.parts);
  if (answered !== "") return answered;
  for (;;) {
    const fresh = (await list()).slice(before).filter(({ info }) => toObject(info).role === "assistant");
    const said = fresh.map(({ parts }) => textOf(parts)).filter(Boolean);
    if (said.length > 0) return said.join("\n\n");
    await sleep(POLL_MS, undefined, { signal: call.ctx.signal });
  }
}

function textOf(parts: unknown): string {
  if (typeof parts === "string") return parts;
  return toList(parts)
    .map((part) => toText(toObject(part).text))
    .join("");
}
