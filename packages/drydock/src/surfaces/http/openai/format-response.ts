import type { StreamFormat } from "./stream-reply.ts";
import { describeRun, type Reply } from "./target.ts";

type Json = Record<string, unknown>;

interface Heading {
  id: string;
  created_at: number;
  model: string;
  request: Json;
}

export function headResponse(model: string, request: Json): Heading {
  return { id: `resp_${newId()}`, created_at: Math.floor(Date.now() / 1000), model, request };
}

/** A whole answer of the responses endpoint. */
export function writeResponse(heading: Heading, reply: Reply): Json {
  const items = [
    ...(reply.text === "" && reply.toolCalls.length > 0 ? [] : [writeMessage(`msg_${newId()}`, reply.text)]),
    ...reply.toolCalls.map((call) => writeCall(`fc_${newId()}`, call)),
  ];
  return {
    ...frame(heading, "completed"),
    output: items,
    usage: reply.isUsageUnknown ? null : writeUsage(reply),
    drydock: describeRun(reply),
  };
}

/** The same as the events that OpenAI tells it with. */
export function formatResponse(heading: Heading): StreamFormat {
  let number = 0;
  const messageId = `msg_${newId()}`;
  let hasMessage = false;
  const event = (type: string, data: Json) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...data })}\n\n`;
  const inMessage = { item_id: messageId, output_index: 0, content_index: 0 };
  const openMessage = (): string => {
    if (hasMessage) return "";
    hasMessage = true;
    const item = { ...writeMessage(messageId, ""), status: "in_progress", content: [] };
    return (
      event("response.output_item.added", { output_index: 0, item }) +
      event("response.content_part.added", { ...inMessage, part: writePart("") })
    );
  };
  const closeMessage = (text: string): string =>
    event("response.output_text.done", { ...inMessage, text, logprobs: [] }) +
    event("response.content_part.done", { ...inMessage, part: writePart(text) }) +
    event("response.output_item.done", { output_index: 0, item: writeMessage(messageId, text) });
  const writeText = (text: string): string =>
    openMessage() + event("response.output_text.delta", { ...inMessage, delta: text, logprobs: [] });
  const writeCallEvents = (item: ReturnType<typeof writeCall>, index: number): string => {
    const place = { item_id: item.id, output_index: index };
    const begun = { ...item, arguments: "", status: "in_progress" };
    return (
      event("response.output_item.added", { output_index: index, item: begun }) +
      event("response.function_call_arguments.delta", { ...place, delta: item.arguments }) +
      event("response.function_call_arguments.done", { ...place, name: item.name, arguments: item.arguments }) +
      event("response.output_item.done", { output_index: index, item })
    );
  };
  return {
    begin: () =>
      event("response.created", { response: frame(heading, "in_progress") }) +
      event("response.in_progress", { response: frame(heading, "in_progress") }),
    text: writeText,
    end(reply, rest) {
      const events: string[] = [];
      if (rest !== "") events.push(writeText(rest));
      if (!hasMessage && reply.toolCalls.length === 0) events.push(openMessage());
      if (hasMessage) events.push(closeMessage(reply.text));
      const calls = reply.toolCalls.map((call) => writeCall(`fc_${newId()}`, call));
      for (const [index, call] of calls.entries()) events.push(writeCallEvents(call, index + (hasMessage ? 1 : 0)));
      const output = [...(hasMessage ? [writeMessage(messageId, reply.text)] : []), ...calls];
      const response = {
        ...frame(heading, "completed"),
        output,
        usage: reply.isUsageUnknown ? null : writeUsage(reply),
        drydock: describeRun(reply),
      };
      return events.join("") + event("response.completed", { response });
    },
    fail: (error) =>
      event("response.failed", { response: { ...frame(heading, "failed"), error } }) +
      event("error", { code: error.code, message: error.message, param: null }),
  };
}

function frame({ request, ...heading }: Heading, status: string): Json {
  const { instructions = null, tools = [], temperature = null, top_p = null, metadata = {} } = request;
  return {
    ...heading,
    object: "response",
    status,
    error: null,
    incomplete_details: null,
    ...{ instructions, tools, temperature, top_p, metadata },
    tool_choice: request.tool_choice ?? "auto",
    parallel_tool_calls: true,
    output: [],
    usage: null,
  };
}

function writePart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function writeMessage(id: string, text: string) {
  return { id, type: "message", status: "completed", role: "assistant", content: [writePart(text)] };
}

function writeCall(id: string, { id: call_id, name, arguments: args }: Reply["toolCalls"][number]) {
  return { id, type: "function_call", status: "completed", call_id, name, arguments: JSON.stringify(args) };
}

function writeUsage({ inputTokens, outputTokens, cachedTokens }: Reply) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
