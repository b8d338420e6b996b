import { RunnerError } from "@drydock/runner-sdk";
import { readEvents, readJsonLines, type StreamEvent } from "./read-events.ts";

export interface ServiceRequest {
  method?: "GET" | "POST";
  query?: Record<string, string | undefined>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

/** Requests to one service. Failures are `RunnerError`s with the codes of that service. */
export interface ServiceHttp {
  /** The answer as JSON. */
  json(path: string, request?: ServiceRequest): Promise<Record<string, unknown>>;
  events(path: string, request?: ServiceRequest): AsyncGenerator<StreamEvent, void, void>;
  lines(path: string, request?: ServiceRequest): AsyncGenerator<Record<string, unknown>, void, void>;
}

export interface HttpOptions {
  /** Of the runner, for codes. */
  name: string;
  baseUrl: string;
  headers: Record<string, string>;
  /** Aborted when the time is over, or the run. */
  signal: AbortSignal;
  /** What must not stand in a message. */
  secrets: readonly string[];
}

const MAX_BODY_CHARS = 10 * 1024 * 1024;
const MAX_SHOWN_CHARS = 300;

export class HttpError extends RunnerError {
  readonly status: number;

  constructor(name: string, status: number, message: string) {
    super(`${name}.http_error`, message, { retryable: status === 429 || status >= 500 });
    this.status = status;
  }
}

export function createHttp({ name, baseUrl, headers, signal, secrets }: HttpOptions): ServiceHttp {
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);

  const send = async (path: string, { method = "POST", query = {}, json, form, headers: own }: ServiceRequest) => {
    const url = new URL(path === "" ? baseUrl : `${baseUrl.replace(/\/+$/, "")}${path}`);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value);
    const type = json === undefined ? {} : { "content-type": "application/json" };
    const body = json === undefined ? form : JSON.stringify(json);
    let response: Response;
    try {
      // A redirection could take the key to another host.
      response = await fetch(url, {
        method,
        headers: { ...headers, ...type, ...own },
        body,
        signal,
        redirect: "manual",
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new RunnerError(`${name}.http_error`, hide(unreachable(url, error)), { retryable: true });
    }
    if (response.ok) return response;
    const text = await readText(response.body).catch(() => "");
    const message = `${url.host} answered ${response.status}: ${shorten(explain(text)) || response.statusText}`;
    throw new HttpError(name, response.status, hide(message));
  };

  /** What breaks in the middle of an answer. */
  const guard = (error: unknown): never => {
    signal.throwIfAborted();
    if (error instanceof RunnerError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new RunnerError(`${name}.http_error`, hide(`The answer could not be read: ${reason}`), { retryable: true });
  };

  async function* read<Item>(
    path: string,
    request: ServiceRequest,
    parse: (response: Response) => AsyncGenerator<Item, void, void>,
  ) {
    const response = await send(path, request);
    try {
      yield* parse(response);
    } catch (error) {
      guard(error);
    }
  }

  return {
    async json(path, request = {}) {
      const { body } = await send(path, request);
      const text = await readText(body).catch(guard);
      try {
        return Object(JSON.parse(text)) as Record<string, unknown>;
      } catch {
        throw new RunnerError(`${name}.api_error`, hide(`The answer is no JSON: ${shorten(text) || "(empty)"}`));
      }
    },
    events: (path, request = {}) => read(path, request, parseEvents),
    lines: (path, request = {}) => read(path, request, ({ body }) => readJsonLines(decode(body))),
  };
}

/** Services refuse with plain JSON where a stream was asked for: that is one event. */
async function* parseEvents({ headers, body }: Response): AsyncGenerator<StreamEvent, void, void> {
  const isJson = headers.get("content-type")?.includes("application/json");
  if (isJson) yield { event: "message", data: JSON.parse(await readText(body)) };
  else yield* readEvents(decode(body));
}

async function* decode(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let text = "";
  for await (const piece of decode(body)) {
    text += piece;
    if (text.length > MAX_BODY_CHARS) throw new RangeError("it has more than 10 MB");
  }
  return text;
}

/** The reason in an answer that is an error, where it has one in the usual places. */
function explain(text: string): string {
  try {
    const { message, msg, error, detail } = Object(JSON.parse(text));
    const reason = message ?? msg ?? Object(error).message ?? error ?? detail;
    return typeof reason === "string" ? reason : text;
  } catch {
    return text;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}

function unreachable(url: URL, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  const host = `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
  const hint = `If the policy does not allow it yet: \`drydock policy allow network ${host}\``;
  return `${url.host} can't be reached: ${shorten(cause)}. ${hint}`;
}
