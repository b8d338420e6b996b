import { DrydockError, ErrorInfo } from "@drydock/protocol";
import type { Operation, OperationInput, OperationResponse } from "@drydock/protocol/http";
import { readStream } from "./read-stream.ts";

export interface ClientOptions {
  /** Default http://127.0.0.1:8088. */
  baseUrl?: string;
  /** What `drydock serve` printed when it made it, and keeps in DRYDOCK_HOME/http-token. */
  token?: string;
  /** In the place of the global one. */
  fetch?: typeof fetch;
}

/** What happens while a call is carried out: `output`, `text`, `check`, `progress`, `queued`, `started`. */
export interface StreamedEvent {
  event: string;
  data: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A second request with the same key and body is not executed again. It can't be combined with `onEvent`. */
  idempotencyKey?: string;
  /** How long the server may take, within its own limit. */
  deadlineSeconds?: number;
  /** What happens meanwhile. Only of operations that can be streamed. */
  onEvent?: (event: StreamedEvent) => void;
}

export interface Caller {
  /** The answer's value; a DrydockError with the server's own code where it refuses. */
  call<O extends Operation>(
    operation: O,
    input: OperationInput<O>,
    options?: CallOptions,
  ): Promise<OperationResponse<O>>;
  /** The answer as it is; refusals are thrown. */
  fetch(
    operation: Operation,
    input: { params?: unknown; query?: unknown; body?: unknown },
    init?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
}

export function createCaller(options: ClientOptions): Caller {
  const { token, baseUrl = "http://127.0.0.1:8088" } = options;
  const base = baseUrl.replace(/\/+$/, "");

  const send: Caller["fetch"] = async (operation, { params, query, body }, { signal, headers = {} } = {}) => {
    const fetch = options.fetch ?? globalThis.fetch;
    const url = `${base}${fillPath(operation.path, params)}${writeQuery(query)}`;
    let response: Response;
    try {
      response = await fetch(url, {
        method: operation.method.toUpperCase(),
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(operation.body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: operation.body === undefined ? undefined : JSON.stringify(body ?? {}),
        signal,
      });
    } catch (error) {
      throw unreachable(url, error, signal);
    }
    if (response.ok || (operation.answersErrors && (await isAnswer(operation, response)))) return response;
    throw await readRefusal(response);
  };

  return {
    fetch: send,
    async call(operation, input, { signal, idempotencyKey, deadlineSeconds, onEvent } = {}) {
      const isStream = onEvent !== undefined && operation.streams === "calls";
      const headers = {
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...(deadlineSeconds === undefined ? {} : { "drydock-deadline": String(deadlineSeconds) }),
        ...(isStream ? { accept: "text/event-stream" } : {}),
      };
      const response = await send(operation, input as Record<string, unknown>, { signal, headers });
      type Value = OperationResponse<typeof operation>;
      if (operation.response === undefined) return (await response.text()) as Value;
      if (!isStream) return (await response.json()) as Value;
      return (await readResult(response, onEvent)) as Value;
    },
  };
}

async function readResult(response: Response, onEvent: (event: StreamedEvent) => void): Promise<unknown> {
  for await (const { event, data } of readStream(response)) {
    const value: unknown = JSON.parse(data);
    if (event === "result") return value;
    if (event === "error") throw toError(value, response.status);
    onEvent({ event, data: value });
  }
  throw new DrydockError("internal", "The stream ended before its result.", "Ask the server's runs what became of it.");
}

function fillPath(path: string, params: unknown): string {
  const fields = Object(params) as Record<string, unknown>;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
}

function writeQuery(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(query) as Record<string, unknown>)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}

/** Whether what came with an error's status is of the operation's own shape. */
async function isAnswer(operation: Operation, response: Response): Promise<boolean> {
  const value: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return operation.response?.safeParse(value).success === true;
}

async function readRefusal(response: Response): Promise<DrydockError> {
  const text = await response.text().catch(() => "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  return toError(value, response.status);
}

function toError(value: unknown, status: number): DrydockError {
  const parsed = ErrorInfo.safeParse((Object(value) as { error?: unknown }).error);
  if (!parsed.success) {
    const hint = "Is it a Drydock server, of this version?";
    return new DrydockError("internal", `The server answered with ${status} and no error of its own.`, hint, {
      status,
    });
  }
  const { code, message, hint, ...data } = parsed.data;
  return new DrydockError(code, message, hint, { ...data, status });
}

function unreachable(url: string, error: unknown, signal: AbortSignal | undefined): DrydockError {
  if (signal?.aborted) {
    return new DrydockError("run.cancelled", "The call was cancelled.", "Make it again when you want to.", {}, error);
  }
  const { origin } = new URL(url);
  const hint = "Start it with `drydock serve`, or correct the client's baseUrl.";
  return new DrydockError("sandbox.unavailable", `No server answers at ${origin}.`, hint, { origin }, error);
}
