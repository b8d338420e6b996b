import { finishOf, halve, tokensOf, type WireAnswer, type WireStream } from "./provider-server.ts";

const FINISH = { stop: "end_turn", tools: "tool_use", length: "max_tokens", filtered: "refusal" };

/** Anthropic's messages, streamed. */
export function writeAnthropic(answer: WireAnswer, model: string): WireStream {
  const event = (type: string, data: Record<string, unknown>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const delta = (index: number, data: Record<string, unknown>) => event("content_block_delta", { index, delta: data });
  const [first, second] = halve(answer.text ?? "");
  const { input, output, cached } = tokensOf(answer);
  const calls = (answer.toolCalls ?? []).flatMap(({ name, input: text }, position) => {
    const index = position + 1;
    const block = { type: "tool_use", id: `toolu_${position}`, name, input: {} };
    return [
      event("content_block_start", { index, content_block: block }),
      ...halve(text).map((half) => delta(index, { type: "input_json_delta", partial_json: half })),
      event("content_block_stop", { index }),
    ];
  });
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      output_tokens: 1,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    },
  };
  return {
    before: [
      event("message_start", { message }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("ping", {}),
      delta(0, { type: "text_delta", text: first }),
    ],
    after: [
      delta(0, { type: "text_delta", text: second }),
      event("content_block_stop", { index: 0 }),
      ...calls,
      event("message_delta", {
        delta: { stop_reason: FINISH[finishOf(answer)], stop_sequence: null },
        usage: { output_tokens: output },
      }),
      event("message_stop", {}),
    ],
    error: event("error", { error: { type: "overloaded_error", message: "Overloaded" } }),
  };
}
