import { DrydockError } from "@drydock/protocol";
import * as z from "zod";
import { meterCall } from "./meter-call.ts";
import { type EndpointOptions, openTarget, postJson } from "./post-json.ts";

const MAX_DIMENSIONS = 8192;
const tokens = z.number().int().nonnegative().nullish();

const Embeddings = z.object({
  usage: z.object({ prompt_tokens: tokens, total_tokens: tokens }).partial().nullish(),
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })),
});

/** Vectors of length one, in the order of the texts: `POST /embeddings` as OpenAI and most other servers have it. */
export async function embedTexts(
  model: string,
  texts: readonly string[],
  options: EndpointOptions,
): Promise<Float32Array[]> {
  const target = openTarget(model, options);
  const body = { model: target.name, input: texts, encoding_format: "float" };
  const { data } = await meterCall(
    target,
    {
      purpose: "embedding",
      inputs: texts.length,
      chars: texts.reduce((sum, text) => sum + text.length, 0),
      send: (signal) => postJson(target, { path: "/embeddings", body, answer: Embeddings }, { ...options, signal }),
      readTokens: ({ usage }) => usage?.prompt_tokens ?? usage?.total_tokens ?? null,
    },
    options,
  );
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  const vectors = texts.map((_, index) => byIndex.get(index));
  const [first] = vectors;
  if (!vectors.every((vector) => vector !== undefined && vector.length === first?.length)) {
    const message = `${model}: the server did not return one vector of the same length for each text.`;
    throw new DrydockError("model.failed", message, "Choose a model that makes embeddings.", { model });
  }
  return vectors.map((vector) => toUnitLength(vector ?? []));
}

function toUnitLength(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}
