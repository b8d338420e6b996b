import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * In the place of a model's provider: a script that lets a coding agent run one shell command, and then says that it is done. It
 * speaks OpenAI's chat completions and responses and Gemini's streamGenerateContent, all as streams. Nothing of it is a model.
 */
export interface ScriptedProvider extends AsyncDisposable {
  port: number;
  /** Paths that were asked for. */
  readonly asked: string[];
}

export async function openScriptedProvider(command: string): Promise<ScriptedProvider> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    const body = JSON.parse((await readBody(request)) || "{}") as Record<string, unknown>;
    if (request.url?.endsWith("/chat/completions")) answerChat(response, body, command);
    else if (request.url?.endsWith("/responses")) answerResponses(response, body, command);
    else if (request.url?.includes(":streamGenerateContent")) answerGemini(response, body, command);
    else response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"not here"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function answerChat(response: ServerResponse, body: Record<string, unknown>, command: string): void {
  const messages = (body.messages ?? []) as { role: string }[];
  const wantsTool = Array.isArray(body.tools) && body.tools.length > 0 && !messages.some(({ role }) => role === "tool");
  const call = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "bash", arguments: JSON.stringify({ command, description: "scripted" }) },
  };
  const delta = wantsTool ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: "Done." };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunk = (choice: Record<string, unknown>, more = {}) => ({
    ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "scripted" },
    choices: [{ index: 0, ...choice }],
    ...more,
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify(chunk({ delta, finish_reason: null }))}\n\n`);
  const finish = chunk({ delta: {}, finish_reason: wantsTool ? "tool_calls" : "stop" }, { usage });
  response.end(`data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`);
}

function answerResponses(response: ServerResponse, body: Record<string, unknown>, command: string): void {
  const input = (body.input ?? []) as { type?: string }[];
  const isDone = input.some(({ type }) => type === "function_call_output");
  const item = isDone
    ? { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Done." }] }
    : {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "exec_command",
        arguments: JSON.stringify({ cmd: command }),
      };
  const usage = {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
  const send = (type: string, data: Record<string, unknown>) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("response.created", { response: { id: "resp_1", status: "in_progress" } });
  send("response.output_item.done", { output_index: 0, item });
  send("response.completed", { response: { id: "resp_1", status: "completed", output: [item], usage } });
  response.end();
}

function answerGemini(response: ServerResponse, body: Record<string, unknown>, command: string): void {
  const contents = (body.contents ?? []) as { parts?: { functionResponse?: unknown }[] }[];
  const isDone = contents.some(({ parts = [] }) => parts.some(({ functionResponse }) => functionResponse));
  const args = { command, description: "scripted" };
  const part = isDone ? { text: "Done." } : { functionCall: { name: "run_shell_command", args } };
  const answer = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: "scripted",
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
}
