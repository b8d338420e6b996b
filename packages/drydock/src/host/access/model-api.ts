import { ApiError, type HostParams } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Questions to models. Each model has the operations that the snapshot lists for it. */
export function modelHandlers({ snapshot, signal, askModel, onChunk }: ApiContext): Handlers {
  const { models } = snapshot.resources;
  if (models.length === 0) return {};
  const ask = async (operation: string, params: HostParams<"invoke_llm">, onText?: (text: string) => void) => {
    const granted = models.find(({ model_id }) => model_id === params.model_id);
    if (!granted?.operations.includes(operation))
      throw new ApiError("unauthorized", `This run may not use the model ${params.model_id} to ${operation}.`);
    if (params.extra_args && Object.keys(params.extra_args).length > 0)
      throw new ApiError("invalid_argument", "extra_args: the host passes no further options to a model.");
    const { model_id: model, messages, funcs } = params;
    const { message, usage } = await askModel({ model, messages, funcs: funcs ?? [], signal, onText });
    const tokens = usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
    return { message, usage: tokens };
  };
  return {
    invoke_llm: (params) => ask("invoke", params),
    invoke_llm_stream: ({ stream_id, ...params }) => ask("stream", params, (text) => onChunk(stream_id, text)),
  };
}
