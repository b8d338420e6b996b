import { DrydockError } from "@drydock/protocol";
import type { KnowledgeStore } from "../../ledger/index.ts";
import { embedTexts } from "../../models/index.ts";
import type { IngestOptions } from "./api.ts";
import type { KnowledgeModels } from "./knowledge-models.ts";

const BATCH = 64;

/**
 * Makes vectors of the passages that have none of the configured model. A model that does not answer, or a budget that is used up,
 * is a warning: the base is searched by words meanwhile, and the next refresh goes on.
 */
export async function embedBase(
  { vectors }: Pick<KnowledgeStore, "vectors">,
  base: number,
  { embedding: model, options }: KnowledgeModels,
  { signal, onProgress }: IngestOptions,
): Promise<string[]> {
  if (model === null) return [];
  let done = 0;
  try {
    while (true) {
      const missing = await vectors.missing(base, model, BATCH);
      if (missing.length === 0) return [];
      onProgress?.({ source: `vectors of ${model}`, done });
      const texts = missing.map(({ text }) => text);
      const made = await embedTexts(model, texts, { ...options, signal });
      const byChunk = new Map(
        missing.flatMap(({ chunk }, index) => (made[index] ? [[chunk, made[index]] as const] : [])),
      );
      await vectors.put(base, model, byChunk);
      done += missing.length;
    }
  } catch (error) {
    if (!(error instanceof DrydockError) || !/^(model|input)\.|^limit\.budget$/.test(error.code)) throw error;
    return [`There are passages without vectors: ${error.message}`];
  }
}
