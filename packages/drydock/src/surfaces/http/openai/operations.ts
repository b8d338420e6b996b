import { defineOperation } from "@drydock/protocol/http";
import * as z from "zod";

const tag = "openai";
const Json = z.record(z.string(), z.unknown());

/** Text, or parts of it. Pictures and sounds are refused when they are read. */
const Content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  z.null(),
]);

const FunctionCall = z.looseObject({
  id: z.string(),
  type: z.literal("function").optional(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const ChatBody = z.looseObject({
  model: z.string(),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool"]),
        content: Content.optional(),
        tool_calls: z.array(FunctionCall).nullish(),
        tool_call_id: z.string().optional(),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({
          name: z.string().min(1),
          description: z.string().optional(),
          parameters: Json.optional(),
        }),
      }),
    )
    .nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  n: z.literal(1).nullish(),
  response_format: z
    .looseObject({
      type: z.enum(["text", "json_object", "json_schema"]),
      json_schema: z.looseObject({ name: z.string(), schema: Json.optional() }).optional(),
    })
    .nullish(),
});
export type ChatBody = z.output<typeof ChatBody>;

const ResponsesBody = z.looseObject({
  model: z.string(),
  input: z.union([
    z.string(),
    z
      .array(
        z.looseObject({
          type: z.string().optional(),
          role: z.enum(["system", "developer", "user", "assistant"]).optional(),
          content: Content.optional(),
          call_id: z.string().optional(),
          name: z.string().optional(),
          arguments: z.string().optional(),
          output: z.unknown().optional(),
        }),
      )
      .min(1),
  ]),
  instructions: z.string().nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        description: z.string().nullish(),
        parameters: Json.nullish(),
      }),
    )
    .nullish(),
  text: z
    .looseObject({
      format: z.looseObject({ type: z.string(), name: z.string().optional(), schema: Json.optional() }).optional(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().positive().nullish(),
  previous_response_id: z.null().optional(),
});
export type ResponsesBody = z.output<typeof ResponsesBody>;

/** The endpoint that any OpenAI client can talk to. Its shapes are OpenAI's; what is not needed of them is let through. */
export const OPENAI_OPERATIONS = {
  listModels: defineOperation({
    method: "get",
    path: "/v1/models",
    tag,
    summary: "Agents (or, without any, the configured model) as OpenAI models",
    response: z.object({ object: z.literal("list"), data: z.array(Json) }),
  }),
  getModel: defineOperation({
    method: "get",
    path: "/v1/models/{id}",
    tag,
    summary: "One of them",
    params: z.object({ id: z.string() }),
    response: Json,
  }),
  createChatCompletion: defineOperation({
    method: "post",
    path: "/v1/chat/completions",
    tag,
    summary: "OpenAI's chat completions, streaming and not",
    body: ChatBody,
    response: Json,
  }),
  createResponse: defineOperation({
    method: "post",
    path: "/v1/responses",
    tag,
    summary: "OpenAI's responses, streaming and not",
    body: ResponsesBody,
    response: Json,
  }),
} as const;
