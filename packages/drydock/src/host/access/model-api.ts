import { ApiError, type HostParams } from "@drydock/protocol/runner";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Questions to models. Each model has the operations that the snapshot lists for it. */
export function modelHandlers({ snapshot, signal, record, askModel, onChunk, modelHelp }: ApiContext): Handlers {
  const { models } = snapshot.resources;
  if (models.length === 0) return {};
  const requireModel = (model: string, ...anyOf: string[]) => {
    const granted = models.find(({ model_id }) => model_id === model);
    if (!anyOf.some((operation) => granted?.operations.includes(operation)))
      throw new ApiError("unauthorized", `This run may not use the model ${model} to ${anyOf.join(" or ")}.`);
  };
  const ask = async (operation: string, params: HostParams<"invoke_llm">, onText?: (text: string) => void) => {
    requireModel(params.model_id, operation);
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
    invoke_rerank: async ({ model_id, query, documents, top_k }) => {
      requireModel(model_id, "rerank");
      const request = { query, documents, ...(top_k && { limit: top_k }) };
      return { results: await modelHelp.rerank(record, model_id, request, signal) };
    },
    count_tokens: async ({ model_id, messages, funcs }) => {
      requireModel(model_id, "invoke", "stream");
      return { tokens: await modelHelp.countTokens(record, model_id, { messages, funcs: funcs ?? [] }, signal) };
    },
  };
}
