import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { meterCall } from "./meter-call.ts";
import { type EndpointOptions, openTarget, postJson } from "./post-json.ts";

const tokens = z.number().int().nonnegative().nullish();
/** Jina and vLLM say what they have read in `usage`, Cohere in `meta`. */
const Ranked = z.object({
  usage: z.object({ total_tokens: tokens }).nullish(),
  meta: z.object({ tokens: z.object({ input_tokens: tokens }).nullish() }).nullish(),
  results: z.array(z.object({ index: z.number().int().nonnegative(), relevance_score: z.number() })),
});

export interface RerankRequest {
  query: string;
  documents: readonly string[];
  /** How many are returned. Default: all. */
  limit?: number;
}

/** Documents by how well they answer a query, the best first: `POST /rerank` as Cohere, Jina and vLLM have it. */
export async function rerankDocuments(
  model: string,
  { query, documents, limit = documents.length }: RerankRequest,
  options: EndpointOptions,
): Promise<{ index: number; score: number }[]> {
  const target = openTarget(model, options);
  const body = { model: target.name, query, documents, top_n: Math.min(limit, documents.length) };
  const { results } = await meterCall(
    target,
    {
      purpose: "rerank",
      inputs: documents.length,
      // The model reads the query with each document.
      chars: documents.reduce((sum, text) => sum + text.length + query.length, 0),
      send: (signal) => postJson(target, { path: "/rerank", body, answer: Ranked }, { ...options, signal }),
      readTokens: ({ usage, meta }) => usage?.total_tokens ?? meta?.tokens?.input_tokens ?? null,
    },
    options,
  );
  const indexes = new Set(results.map(({ index }) => index));
  if (indexes.size !== results.length || [...indexes].some((index) => index >= documents.length)) {
    const message = `${model}: the server ranked documents that it was not given.`;
    throw new DrydockError("model.failed", message, "Choose another rerank model.", { model });
  }
  return results
    .map(({ index, relevance_score: score }) => ({ index, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
