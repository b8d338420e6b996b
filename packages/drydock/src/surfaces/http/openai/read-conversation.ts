import { DrydockError, type ModelMessage } from "@drydock/protocol";
import type { AttachedFile } from "../../../tasks/index.ts";
import type { ChatBody, ResponsesBody } from "./operations.ts";
import { readAttachment } from "./read-attachment.ts";
import type { ChatRequest } from "./target.ts";

/** The messages of OpenAI's chat completions. */
export function readChat(body: ChatBody): ChatRequest {
  const attachments: AttachedFile[] = [];
  const system: string[] = [];
  const messages: ModelMessage[] = [];
  const called = new Map<string, string>();
  for (const { role, content, tool_calls, tool_call_id } of body.messages) {
    const text = readContent(content, attachments);
    if (role === "system" || role === "developer") system.push(text);
    else if (role === "user") messages.push({ role, text });
    else if (role === "assistant") {
      const toolCalls = (tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: readArguments(call.function.arguments),
      }));
      for (const { id, name } of toolCalls) called.set(id, name);
      messages.push({ role, text, toolCalls });
    } else messages.push(answerTool(called, tool_call_id, text));
  }
  const format = body.response_format;
  const schema = format?.type === "json_schema" ? format.json_schema?.schema : undefined;
  return {
    system: system.join("\n\n"),
    messages,
    attachments,
    tools: (body.tools ?? []).map(({ function: { name, description = "", parameters } }) => ({
      name,
      description,
      parameters: parameters ?? { type: "object", properties: {} },
    })),
    hasFormat: (format?.type ?? "text") !== "text",
    output: schema && { name: format?.json_schema?.name ?? "answer", schema },
    conversation: readConversationId(body.metadata),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
  };
}

/** The items of OpenAI's responses. */
export function readResponses(body: ResponsesBody): ChatRequest {
  const attachments: AttachedFile[] = [];
  const system = body.instructions ? [body.instructions] : [];
  const messages: ModelMessage[] = [];
  const called = new Map<string, string>();
  const items = typeof body.input === "string" ? [{ role: "user" as const, content: body.input }] : body.input;
  for (const item of items) {
    const { type = "message", role, content, call_id, name, arguments: args, output } = { type: undefined, ...item };
    if (type === "function_call" && call_id !== undefined && name !== undefined) {
      called.set(call_id, name);
      const call = { id: call_id, name, arguments: readArguments(args ?? "{}") };
      const last = messages.at(-1);
      if (last?.role === "assistant") last.toolCalls.push(call);
      else messages.push({ role: "assistant", text: "", toolCalls: [call] });
    } else if (type === "function_call_output") {
      messages.push(answerTool(called, call_id, typeof output === "string" ? output : JSON.stringify(output ?? null)));
    } else if (type === "message" && role !== undefined) {
      const text = readContent(content, attachments);
      if (role === "system" || role === "developer") system.push(text);
      else if (role === "user") messages.push({ role, text });
      else messages.push({ role, text, toolCalls: [] });
    } else if (type !== "reasoning") throw invalid(`An item of the type ${type} can't be read.`);
  }
  const format = body.text?.format;
  return {
    system: system.join("\n\n"),
    messages,
    attachments,
    tools: (body.tools ?? []).map(({ type, name, description, parameters }) => {
      if (type !== "function" || name === undefined) throw invalid(`A tool of the type ${type} can't be used here.`);
      return { name, description: description ?? "", parameters: parameters ?? { type: "object", properties: {} } };
    }),
    hasFormat: (format?.type ?? "text") !== "text",
    output:
      format?.type === "json_schema" && format.schema
        ? { name: format.name ?? "answer", schema: format.schema }
        : undefined,
    conversation: readConversationId(body.metadata),
    maxOutputTokens: body.max_output_tokens ?? undefined,
  };
}

function readConversationId(metadata: Record<string, unknown> | null | undefined): string | undefined {
  const id = metadata?.conversation_id;
  if (id === undefined || (typeof id === "string" && id !== "" && id.length <= 255)) return id;
  throw invalid("metadata.conversation_id must be a text of 1 to 255 characters.");
}

const TEXT_PARTS = ["text", "input_text", "output_text", "refusal"];

/** The text of a message. Files and pictures are added to `attachments`, and named where they stood. */
function readContent(content: ChatBody["messages"][number]["content"], attachments: AttachedFile[]): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      const { type, text } = part;
      if (TEXT_PARTS.includes(type) && text !== undefined) return text;
      const file = readAttachment(part, attachments.length + 1);
      if (file === null) throw invalid(`Content of the type ${type} can't be read: only text, files and pictures can.`);
      // Clients send the whole conversation with each request: the last file of a name is the one that counts.
      const earlier = attachments.findIndex(({ name }) => name === file.name);
      if (earlier >= 0) attachments.splice(earlier, 1);
      attachments.push(file);
      return `\n(attached: ${file.name})\n`;
    })
    .join("");
}

function readArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused below.
  }
  throw invalid("The arguments of a tool call must be a JSON object.");
}

function answerTool(called: ReadonlyMap<string, string>, callId: string | undefined, text: string): ModelMessage {
  const name = callId === undefined ? undefined : called.get(callId);
  if (callId === undefined || name === undefined) {
    throw invalid(`A tool's answer belongs to no call before it (${callId ?? "it names none"}).`);
  }
  return { role: "tool", callId, name, text, failed: false };
}

function invalid(message: string): DrydockError {
  return new DrydockError(
    "input.invalid",
    message,
    "See OpenAI's description of the endpoint; text, files and pictures are supported here.",
  );
}
