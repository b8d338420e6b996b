import type { StreamFormat } from "./stream-reply.ts";
import { describeRun, type Reply } from "./target.ts";

interface Heading {
  id: string;
  created: number;
  model: string;
}

export function headChat(model: string): Heading {
  return { id: `chatcmpl-${crypto.randomUUID()}`, created: Math.floor(Date.now() / 1000), model };
}

/** A whole answer of chat completions. */
export function writeChat(heading: Heading, reply: Reply): Record<string, unknown> {
  const { text, toolCalls, finish } = reply;
  const message = {
    role: "assistant",
    content: text === "" && toolCalls.length > 0 ? null : text,
    refusal: null,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(writeCall) }),
  };
  const choices = [{ index: 0, message, finish_reason: finish, logprobs: null }];
  return {
    ...heading,
    object: "chat.completion",
    choices,
    ...(reply.isUsageUnknown ? {} : { usage: writeUsage(reply) }),
    drydock: describeRun(reply),
  };
}

/** The same in pieces. */
export function formatChat(heading: Heading, includeUsage: boolean): StreamFormat {
  const chunk = (delta: Record<string, unknown>, finish: string | null = null, more: object = {}) =>
    line({
      ...heading,
      ...more,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
    });
  return {
    begin: () => chunk({ role: "assistant", content: "" }),
    text: (content) => chunk({ content }),
    end(reply, rest) {
      const calls = reply.toolCalls.map((call, index) => ({ index, ...writeCall(call) }));
      return [
        ...(rest === "" ? [] : [chunk({ content: rest })]),
        ...(calls.length === 0 ? [] : [chunk({ tool_calls: calls })]),
        chunk({}, reply.finish, { drydock: describeRun(reply) }),
        ...(includeUsage && !reply.isUsageUnknown
          ? [line({ ...heading, object: "chat.completion.chunk", choices: [], usage: writeUsage(reply) })]
          : []),
        "data: [DONE]\n\n",
      ].join("");
    },
    fail: (error) => line({ error }),
  };
}

function line(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function writeCall({ id, name, arguments: args }: Reply["toolCalls"][number]) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
}

function writeUsage({ inputTokens, outputTokens, cachedTokens }: Reply) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
