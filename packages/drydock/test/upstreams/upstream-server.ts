import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server that wants a key, notes what reaches it, and misbehaves where its path says so. */
export interface UpstreamTestServer {
  readonly port: number;
  readonly seen: SeenRequest[];
  close(): void;
}

export async function startUpstreamServer(key: string): Promise<UpstreamTestServer> {
  const seen: SeenRequest[] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await text(request);
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    const given = headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization?.replace(/^Bearer /, "");
    if (given !== key) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${given}` } }));
      return;
    }
    answer(url, body, key, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const CHAT_USAGE = { prompt_tokens: 1000, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 400 } };
const MESSAGE_USAGE = { input_tokens: 1000, output_tokens: 1, cache_read_input_tokens: 200 };

function answer(url: string, body: string, key: string, response: ServerResponse): void {
  const path = url.replace(/^\/v1/, "");
  const request = url.includes("/files") ? {} : JSON.parse(body || "{}");
  if (request.metadata === "hang") return;
  if (path.startsWith("/chat/completions")) answerChat(request, response);
  else if (path.startsWith("/messages")) answerMessages(request, response);
  else if (path.startsWith("/models/away")) {
    response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" }).end();
  } else if (path.startsWith("/models/moved")) {
    response.writeHead(301, { location: `http://${response.req.headers.host}/v1/models/here` }).end();
  } else if (path.startsWith("/models/echo")) {
    const spellings = [key, encodeURIComponent(key), Buffer.from(key).toString("base64")].join("\n");
    response.setHeader("x-echo", `Bearer ${key}`);
    response.setHeader("set-cookie", "session=of-the-owner");
    if (path.includes("zipped")) {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(spellings));
    } else if (path.includes("pieces")) {
      // The key comes in two chunks, with a pause in between.
      response.write(spellings.slice(0, 7));
      setTimeout(() => response.end(spellings.slice(7)), 50);
    } else if (path.includes("strange")) {
      response.setHeader("content-encoding", "rot13");
      response.end("x");
    } else response.end(spellings);
  } else if (!path.startsWith("/models/hang")) response.end(JSON.stringify({ data: [{ id: "gpt-5" }] }));
}

function answerChat({ stream, stream_options }: Record<string, unknown>, response: ServerResponse): void {
  if (stream !== true) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { content: "hello" } }], usage: CHAT_USAGE }));
    return;
  }
  const chunks = ["hel", "lo"].map((content) => ({ choices: [{ delta: { content } }] }) as object);
  if (Object(stream_options).include_usage) chunks.push({ choices: [], usage: CHAT_USAGE });
  writeEvents(response, [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"]);
}

function answerMessages({ stream, metadata }: Record<string, unknown>, response: ServerResponse): void {
  if (stream !== true) {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ content: [{ type: "text", text: "hi" }], usage: { ...MESSAGE_USAGE, output_tokens: 50 } }),
    );
    return;
  }
  const events: { type: string; [field: string]: unknown }[] = [
    { type: "message_start", message: { usage: MESSAGE_USAGE } },
    { type: "content_block_delta", delta: { type: "text_delta", text: metadata === "long" ? "x".repeat(7000) : "hi" } },
    ...(metadata === "long" ? [] : [{ type: "message_delta", delta: {}, usage: { output_tokens: 50 } }]),
  ];
  // A long answer goes on: what comes after its first event is never said.
  if (metadata === "long") events.push(...Array.from({ length: 100 }, () => ({ type: "ping" })));
  writeEvents(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

/** One at a time: whoever waits for the whole answer is noticed. */
function writeEvents(response: ServerResponse, events: readonly string[]): void {
  if (!response.headersSent) response.setHeader("content-type", "text/event-stream");
  const [first, ...rest] = events;
  if (first === undefined) {
    response.end();
    return;
  }
  response.write(first);
  setTimeout(() => writeEvents(response, rest), 20);
}
