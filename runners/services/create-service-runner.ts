import {
  ApiError,
  completed,
  defineRunner,
  delta,
  type HostApi,
  message,
  type Runner,
  type RunnerContext,
  RunnerError,
  type RunnerResult,
  setState,
} from "@drydock/runner-sdk";
import { createHttp, HttpError } from "./http.ts";
import type { Service, ServiceAnswer, ServiceCall, ServiceFile, Settings } from "./service.ts";
import { commonFields, readSettings } from "./settings.ts";

const STATE_KEY = "external.conversation_id";
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const GONE = 404;

/** A runner that passes messages to a service, and its answers back. */
export function createServiceRunner(service: Service): Runner {
  const { name, label, description, stateKey = STATE_KEY } = service;
  return defineRunner({
    manifest: {
      ...{ name, label, description },
      capabilities: { streaming: true, multimodal_input: service.takesFiles, interrupt: true },
      permissions: { artifacts: ["metadata", "read"] },
      config_schema: [...commonFields(service), ...service.fields],
    },
    async *run(ctx, api) {
      const call = await prepareCall(service, ctx, api);
      const { answer, shown } = yield* ask(service, call);
      if (answer.conversation && answer.conversation !== ctx.state.conversation[stateKey])
        yield setState("conversation", stateKey, answer.conversation);
      yield* answer.results ?? [];
      const text = answer.text.trim() === "" ? shown : answer.text;
      if (text.trim() === "") throw new RunnerError(`${name}.empty_response`, `${label} answered without a word.`);
      yield message(text);
      yield completed({ ...(answer.usage && { usage: answer.usage }) });
    },
  });
}

async function prepareCall(service: Service, ctx: RunnerContext, api: HostApi): Promise<ServiceCall> {
  const { name, stateKey = STATE_KEY } = service;
  const settings = readSettings(service, ctx.config);
  const seconds = settings.count("timeout", service.timeoutSeconds);
  const overtime = AbortSignal.timeout(seconds * 1000);
  overtime.addEventListener("abort", () => {}, { once: true });
  const files = service.takesFiles ? await readFiles(ctx, api) : [];
  const text = textOf(service, ctx);
  if (text === "" && files.length === 0) throw new RunnerError(`${name}.input_error`, "The message is empty.");
  const kept = ctx.state.conversation[stateKey];
  const { conversation_id, thread_id } = ctx.context;
  const secrets = listSecrets(service, settings);
  return {
    ...{ text, files, settings, ctx },
    user: ctx.actor ? `${ctx.actor.actor_type}_${ctx.actor.actor_id ?? "unknown"}` : `run_${ctx.run_id}`,
    conversation: typeof kept === "string" ? kept : null,
    ownConversation: [conversation_id ?? ctx.run_id, thread_id].filter(Boolean).join("/"),
    streams: ctx.delivery.supports_streaming,
    http: createHttp({
      ...{ name, headers: service.authorize(settings), secrets },
      baseUrl: settings.text("base-url") || settings.text("webhook-url"),
      signal: AbortSignal.any([ctx.signal, overtime]),
    }),
    fail(reason, { retryable = false } = {}) {
      const words = typeof reason === "string" ? reason : JSON.stringify(reason ?? "no reason given");
      const shown = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), words);
      throw new RunnerError(`${name}.api_error`, `${service.label}: ${shown.slice(0, 1000)}`, { retryable });
    },
  };
}

/** What no message may hold. */
function listSecrets(service: Service, settings: Settings): string[] {
  const fields = [...commonFields(service), ...service.fields].filter(({ type }) => type === "secret");
  return fields.map(({ name }) => settings.text(name)).filter((secret) => secret !== "");
}

/** A conversation that the service no longer has is begun anew, once, where nothing was shown of an answer. */
async function* ask(
  service: Service,
  call: ServiceCall,
): AsyncGenerator<RunnerResult, { answer: ServiceAnswer; shown: string }, void> {
  let shown = "";
  for (let conversation = call.conversation; ; conversation = null) {
    try {
      const answer = service.ask({ ...call, conversation });
      for (;;) {
        const next = await answer.next();
        if (next.done) return { answer: next.value, shown };
        if (next.value === "") continue;
        shown += next.value;
        if (call.streams) yield delta(next.value);
      }
    } catch (error) {
      const isGone = error instanceof HttpError && error.status === GONE;
      if (!isGone || conversation === null || shown !== "") throw explain(service, call, error);
    }
  }
}

function explain({ name, label, timeoutSeconds }: Service, { ctx, settings }: ServiceCall, error: unknown): unknown {
  if (ctx.signal.aborted || error instanceof RunnerError || error instanceof ApiError) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const message = `${label} did not answer within ${settings.count("timeout", timeoutSeconds)} s.`;
    return new RunnerError(`${name}.timeout`, message, { retryable: true });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new RunnerError(`${name}.api_error`, `The answer of ${label} can't be read: ${message}`);
}

/** What is said, with the names of files that the service can't take; of an event that is no message, what it is. */
function textOf({ takesFiles }: Service, { event, input }: RunnerContext): string {
  const said = input.text ?? input.contents.map((part) => (part.type === "text" ? String(part.text) : "")).join("");
  const files = takesFiles
    ? []
    : input.attachments.map(({ name, mime_type }) => `[file: ${name ?? ""} ${mime_type ?? ""}]`);
  const data = JSON.stringify(event.data);
  const isMessage = event.event_type === "message.received";
  const parts = isMessage ? [said, ...files] : [`[${event.event_type}]`, said, data === "{}" ? "" : data, ...files];
  return parts.filter(Boolean).join("\n").trim();
}

async function readFiles(ctx: RunnerContext, api: HostApi): Promise<ServiceFile[]> {
  const files: ServiceFile[] = [];
  if (!ctx.context.available_apis.artifact_read) return files;
  for (const { artifact_id, name, mime_type } of ctx.input.attachments) {
    const { content_base64 } = await api.artifact_read_range({ artifact_id, length: MAX_FILE_BYTES });
    const mime = mime_type ?? "application/octet-stream";
    const bytes = Uint8Array.from(Buffer.from(content_base64 ?? "", "base64"));
    files.push({ name: nameFile(name ?? "file", mime), mime, bytes });
  }
  return files;
}

/** Services look at the ending of a name. */
function nameFile(name: string, mime: string): string {
  const ending = /^[\w.+-]+\/([a-z0-9]+)$/.exec(mime)?.[1];
  return name.includes(".") || !ending ? name : `${name}.${ending === "plain" ? "txt" : ending}`;
}
