import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ProviderApi } from "@drydock/protocol";
import { writeAnthropic } from "./anthropic-wire.ts";
import { writeChat, writeResponses } from "./openai-wire.ts";

/** What the server does with one request. An answer, or a fault. */
export type WireReply =
  | WireAnswer
  /** An error instead of an answer. */
  | { status: number; headers?: Record<string, string>; error?: { message: string; type?: string; code?: string } }
  /** Status 200 with a body that is no answer. */
  | { body: string; type: string }
  /** The request is taken and nothing ever comes back. */
  | { hang: true };

export interface WireAnswer {
  text?: string;
  /** `input` is the text of the arguments: it need not be JSON. */
  toolCalls?: { name: string; input: string }[];
  /** Default: what text and tool calls suggest. */
  finish?: "stop" | "tools" | "length" | "filtered";
  tokens?: { input: number; output: number; cached?: number };
  /**
   * What happens after half of the text: the connection breaks, the stream ends as if it were complete, nothing more
   * comes, or an error is sent.
   */
  midway?: "break" | "end" | "hang" | "error";
}

/** What the server speaks: the path of each endpoint, and how an answer is written. */
const ENDPOINTS = {
  chat: { path: "/v1/chat/completions", write: writeChat },
  responses: { path: "/v1/responses", write: writeResponses },
  messages: { path: "/v1/messages", write: writeAnthropic },
};

export type WireApi = keyof typeof ENDPOINTS;

/** The endpoint behind each way to speak with a provider. */
export const ENDPOINT_OF: Readonly<Record<ProviderApi, WireApi>> = {
  "openai-compatible": "chat",
  openai: "chat",
  "openai-responses": "responses",
  anthropic: "messages",
};

/** A request as it came over the wire. */
export interface WireRequest {
  api: WireApi;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  /** The whole body, to look for words in. */
  raw: string;
}

export interface ProviderServer extends AsyncDisposable {
  /** For an OpenAI-compatible provider as for OpenAI, and for Anthropic: `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  /** All requests so far. */
  requests: WireRequest[];
  /** What the next requests get, in this order. Before what `answer` says. */
  queue(...replies: WireReply[]): void;
  /** What requests get when nothing is queued. Without it, that is an error 599. */
  answer(reply: (request: WireRequest) => WireReply | Promise<WireReply>): void;
  close(): Promise<void>;
}

/** A server that speaks the protocols of OpenAI and Anthropic on loopback, and fails as it is told. */
export async function startProviderServer(): Promise<ProviderServer> {
  const requests: WireRequest[] = [];
  const queued: WireReply[] = [];
  let decide = (_: WireRequest): WireReply | Promise<WireReply> => ({
    status: 599,
    error: { message: "no reply is queued" },
  });

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    if (!request) return void response.writeHead(404).end('{"error":{"message":"no such path"}}');
    requests.push(request);
    await reply(request, queued.shift() ?? (await decide(request)), response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    queue: (...replies) => void queued.push(...replies),
    answer(reply) {
      decide = reply;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readRequest(incoming: IncomingMessage): Promise<WireRequest | null> {
  const names = Object.keys(ENDPOINTS) as WireApi[];
  const api = names.find((name) => ENDPOINTS[name].path === incoming.url);
  const raw = await text(incoming);
  return api ? { api, headers: incoming.headers, body: JSON.parse(raw), raw } : null;
}

async function reply(request: WireRequest, reply: WireReply, response: ServerResponse): Promise<void> {
  if ("hang" in reply) return;
  if ("body" in reply) return void response.writeHead(200, { "content-type": reply.type }).end(reply.body);
  if ("status" in reply) {
    const { message = "it failed", type = "server_error", code } = reply.error ?? {};
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify({ type: "error", error: { message, type, code } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const { before, after, error } = ENDPOINTS[request.api].write(reply, String(request.body.model));
  response.write(before.join(""));
  // What came before must have arrived: a broken connection throws away what is still under way.
  await new Promise((resolve) => setTimeout(resolve, reply.midway === undefined ? 0 : 20));
  if (reply.midway === "hang") return;
  if (reply.midway === "break") return void response.destroy();
  if (reply.midway === "end") return void response.end();
  response.end(reply.midway === "error" ? error : after.join(""));
}

/** The stream of an answer, in two halves. */
export interface WireStream {
  before: string[];
  after: string[];
  /** What stands in place of the second half when the provider fails in the middle. */
  error: string;
}

/** The two halves of a text. */
export function halve(text: string): [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

export function finishOf(answer: WireAnswer): NonNullable<WireAnswer["finish"]> {
  return answer.finish ?? (answer.toolCalls?.length ? "tools" : "stop");
}

export function tokensOf({ tokens }: WireAnswer): { input: number; output: number; cached: number } {
  return { input: 100, output: 20, cached: 0, ...tokens };
}
