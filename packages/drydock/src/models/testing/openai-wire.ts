import { finishOf, halve, tokensOf, type WireAnswer, type WireStream } from "./provider-server.ts";

const CHAT_FINISH = { stop: "stop", tools: "tool_calls", length: "length", filtered: "content_filter" };

/** OpenAI's chat completions, streamed. */
export function writeChat(answer: WireAnswer, model: string): WireStream {
  const chunk = (choice: Record<string, unknown> | null, extra = {}) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: choice ? [{ index: 0, finish_reason: null, ...choice }] : [],
      ...extra,
    })}\n\n`;
  const [first, second] = halve(answer.text ?? "");
  const { input, output, cached } = tokensOf(answer);
  const calls = (answer.toolCalls ?? []).flatMap(({ name, input: text }, index) => {
    const [head, tail] = halve(text);
    return [
      { index, id: `call_${index}`, type: "function", function: { name, arguments: head } },
      { index, function: { arguments: tail } },
    ].map((call) => chunk({ delta: { tool_calls: [call] } }));
  });
  return {
    before: [chunk({ delta: { role: "assistant", content: "" } }), chunk({ delta: { content: first } })],
    after: [
      chunk({ delta: { content: second } }),
      ...calls,
      chunk({ delta: {}, finish_reason: CHAT_FINISH[finishOf(answer)] }),
      chunk(null, {
        usage: {
          prompt_tokens: input,
          completion_tokens: output,
          total_tokens: input + output,
          prompt_tokens_details: { cached_tokens: cached },
        },
      }),
      "data: [DONE]\n\n",
    ],
    error: `data: ${JSON.stringify({ error: { message: "the engine stopped", type: "server_error", code: null } })}\n\n`,
  };
}

/** OpenAI's responses, streamed. */
export function writeResponses(answer: WireAnswer, model: string): WireStream {
  let sequence = 0;
  const event = (type: string, data: Record<string, unknown>) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
  const response = { id: "resp_1", object: "response", created_at: 1, model, service_tier: "default" };
  const item = { id: "msg_1", type: "message", status: "in_progress", role: "assistant", content: [] };
  const delta = (text: string) =>
    event("response.output_text.delta", { item_id: "msg_1", output_index: 0, content_index: 0, delta: text });
  const [first, second] = halve(answer.text ?? "");
  const { input, output, cached } = tokensOf(answer);
  const before = [
    event("response.created", { response: { ...response, status: "in_progress" } }),
    event("response.output_item.added", { output_index: 0, item }),
    delta(first),
  ];
  const calls = (answer.toolCalls ?? []).flatMap(({ name, input: text }, index) => {
    const call = { id: `fc_${index}`, type: "function_call", call_id: `call_${index}`, name };
    const place = { item_id: call.id, output_index: index + 1 };
    return [
      event("response.output_item.added", {
        output_index: index + 1,
        item: { ...call, status: "in_progress", arguments: "" },
      }),
      event("response.function_call_arguments.delta", { ...place, delta: text }),
      event("response.function_call_arguments.done", { ...place, arguments: text }),
      event("response.output_item.done", {
        output_index: index + 1,
        item: { ...call, status: "completed", arguments: text },
      }),
    ];
  });
  const finish = finishOf(answer);
  const cut = { length: "max_output_tokens", filtered: "content_filter", stop: null, tools: null }[finish];
  const ending = cut ? "incomplete" : "completed";
  const error = { message: "the engine stopped", type: "server_error", code: "server_error", param: null };
  return {
    before,
    after: [
      delta(second),
      event("response.output_item.done", { output_index: 0, item: { ...item, status: "completed" } }),
      ...calls,
      event(`response.${ending}`, {
        response: {
          ...response,
          status: ending,
          incomplete_details: cut ? { reason: cut } : null,
          usage: {
            input_tokens: input,
            output_tokens: output,
            total_tokens: input + output,
            input_tokens_details: { cached_tokens: cached },
            output_tokens_details: { reasoning_tokens: 0 },
          },
        },
      }),
    ],
    error: event("error", { ...error, error }),
  };
}
