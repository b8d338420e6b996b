import { defineOperation } from "@drydock/protocol/http";
import * as z from "zod";

const tag = "openai";
const Json = z.record(z.string(), z.unknown());

/** Text, or parts of it. Files and pictures hold their content; sounds are refused when they are read. */
const Content = z.union([
  z.string(),
  z.array(
    z.looseObject({
      type: z
        .string()
        .describe(
          "Kind of the part: `text`, `input_text`, `output_text`, or a file or picture: `file`, `image_url`, `input_file`, `input_image`.",
        ),
      text: z.string().optional().describe("The part's text."),
    }),
  ),
  z.null(),
]);
const contentField = Content.optional().describe(
  "The message: a text, or parts of text, files and pictures as data URLs. Sounds are refused.",
);
const modelName = z.string().describe("Name of an agent, or of the configured model, as `GET /v1/models` lists it.");
const metadataField = Json.nullish().describe(
  "Of the caller's choice. For an agent of the host, `conversation_id` names the conversation that the message continues.",
);
const streamField = z.boolean().nullish().describe("True: answer as server-sent events. Default: false.");
const callId = z.string().describe("Id of the call, which its answer repeats.");
const functionName = z.string().describe("Name of the function.");
const functionArguments = z.string().describe("Arguments of the call as JSON text.");

const FunctionCall = z.looseObject({
  id: callId,
  type: z.literal("function").optional().describe("Always `function`: no other tools are known."),
  function: z
    .looseObject({ name: functionName, arguments: functionArguments })
    .describe("The function that the model called."),
});

const ChatBody = z.looseObject({
  model: modelName,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool"]).describe("Who wrote the message."),
        content: contentField,
        tool_calls: z.array(FunctionCall).nullish().describe("Functions that the assistant called in this message."),
        tool_call_id: z.string().optional().describe("In a `tool` message: id of the call that it answers."),
      }),
    )
    .min(1)
    .describe("The conversation, the oldest message first."),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function").describe("Always `function`: no other tools are known."),
        function: z
          .looseObject({
            name: functionName.min(1),
            description: z.string().optional().describe("What the function does, for the model."),
            parameters: Json.optional().describe("JSON Schema of the arguments."),
          })
          .describe("A function that the model may call."),
      }),
    )
    .nullish()
    .describe("Functions of the caller. A model gets them; an agent has its own, and refuses others."),
  stream: streamField,
  stream_options: z
    .looseObject({
      include_usage: z.boolean().optional().describe("True: the last event holds the token counts. Default: false."),
    })
    .nullish()
    .describe("Options for `stream: true`."),
  max_tokens: z.number().int().positive().nullish().describe("The most tokens that the model may write."),
  max_completion_tokens: z.number().int().positive().nullish().describe("The newer name of `max_tokens`."),
  metadata: metadataField,
  n: z.literal(1).nullish().describe("Number of answers: only 1 is supported."),
  response_format: z
    .looseObject({
      type: z.enum(["text", "json_object", "json_schema"]).describe("Form of the answer: text, or JSON."),
      json_schema: z
        .looseObject({
          name: z.string().describe("Name of the schema, for the model."),
          schema: Json.optional().describe("JSON Schema of the answer."),
        })
        .optional()
        .describe("The schema for the type `json_schema`."),
    })
    .nullish()
    .describe("Form that the answer must have. Default: text."),
});
export type ChatBody = z.output<typeof ChatBody>;

const ResponsesBody = z.looseObject({
  model: modelName,
  input: z
    .union([
      z.string(),
      z
        .array(
          z.looseObject({
            type: z
              .string()
              .optional()
              .describe("Kind of the item: `message`, `function_call` or `function_call_output`. Default: message."),
            role: z.enum(["system", "developer", "user", "assistant"]).optional().describe("Who wrote the message."),
            content: contentField,
            call_id: callId.optional(),
            name: functionName.optional(),
            arguments: functionArguments.optional(),
            output: z.unknown().optional().describe("What the called function answered."),
          }),
        )
        .min(1),
    ])
    .describe("A text, or the conversation as a list of items, the oldest first."),
  instructions: z.string().nullish().describe("The system prompt."),
  tools: z
    .array(
      z.looseObject({
        type: z.string().describe("Kind of the tool: only `function` is supported."),
        name: functionName.optional(),
        description: z.string().nullish().describe("What the function does, for the model."),
        parameters: Json.nullish().describe("JSON Schema of the arguments."),
      }),
    )
    .nullish()
    .describe("Functions of the caller. A model gets them; an agent has its own, and refuses others."),
  text: z
    .looseObject({
      format: z
        .looseObject({
          type: z.string().describe("Form of the answer: `text`, `json_object` or `json_schema`."),
          name: z.string().optional().describe("Name of the schema, for the model."),
          schema: Json.optional().describe("JSON Schema of the answer."),
        })
        .optional()
        .describe("Form that the answer must have. Default: text."),
    })
    .nullish()
    .describe("Options for the answer's text."),
  stream: streamField,
  max_output_tokens: z.number().int().positive().nullish().describe("The most tokens that the model may write."),
  metadata: metadataField,
  previous_response_id: z.null().optional().describe("Not supported: send the whole conversation as `input`."),
});
export type ResponsesBody = z.output<typeof ResponsesBody>;

/** The endpoint that any OpenAI client can talk to. Its shapes are OpenAI's; what is not needed of them is let through. */
export const OPENAI_OPERATIONS = {
  listModels: defineOperation({
    method: "get",
    path: "/v1/models",
    tag,
    client: null,
    summary: "Agents and the configured model as OpenAI models",
    description:
      "Lists the agents that this server was started with as OpenAI models, or, without any, the configured model; and the agents of the host as `agent/NAME`.",
    scope: "read",
    response: z.object({
      object: z.literal("list").describe("Always `list`, as OpenAI's clients expect."),
      data: z.array(Json).describe("The models, in OpenAI's form."),
    }),
  }),
  getModel: defineOperation({
    method: "get",
    path: "/v1/models/{id}",
    tag,
    client: null,
    summary: "One model of the list",
    description: "Shows one entry of the list of models.",
    scope: "read",
    params: z.object({ id: z.string().describe("Name of the model, as `GET /v1/models` lists it.") }),
    response: Json,
  }),
  createChatCompletion: defineOperation({
    method: "post",
    path: "/v1/chat/completions",
    tag,
    client: null,
    summary: "OpenAI's chat completions, streaming and not",
    description:
      "Answers a conversation as OpenAI's chat completions do, with an agent or with the configured model. `stream: true` answers in parts.",
    scope: "run",
    body: ChatBody,
    response: Json,
  }),
  createResponse: defineOperation({
    method: "post",
    path: "/v1/responses",
    tag,
    client: null,
    summary: "OpenAI's responses, streaming and not",
    description:
      "Answers an input as OpenAI's responses do, with an agent or with the configured model. `stream: true` answers in parts.",
    scope: "run",
    body: ResponsesBody,
    response: Json,
  }),
} as const;
