import { DrydockError, type KnowledgeHit, KnowledgePosition, type KnowledgeResult } from "@drydock/protocol";
import type { FoundChunk, KnowledgeStore, WordSearch } from "../../../ledger/index.ts";
import { embedTexts, rerankDocuments } from "../../../models/index.ts";
import type { KnowledgeModels } from "../knowledge-models.ts";
import { fuseRankings } from "./fuse-rankings.ts";
import { makeSnippet } from "./make-snippet.ts";

/** Passages that each ranking contributes before they are put together. */
const CANDIDATES = 64;

/**
 * By words always; by vectors where the base has some of the configured model; put in order by a rerank model where one is
 * configured. What a model fails to do is a warning, never the end of the search; a budget that is used up is one where the
 * search has a budget of its own, and refuses a search of an agent.
 */
export async function searchBase(
  store: KnowledgeStore,
  models: KnowledgeModels,
  search: WordSearch,
  { signal, isOfAgent = false }: { signal?: AbortSignal; isOfAgent?: boolean } = {},
): Promise<KnowledgeResult> {
  const warnings: string[] = [];
  const orWarn = <T>(work: () => Promise<T | null>) =>
    warnOr(warnings, isOfAgent ? OF_MODELS : OF_MODELS_OR_BUDGET, work);
  const ranking: KnowledgeResult["ranking"] = ["words"];
  const limit = models.embedding === null && models.rerank === null ? search.limit : Math.max(CANDIDATES, search.limit);
  let found = await store.searchWords({ ...search, limit });
  const near = await orWarn(() => searchVectors(store, models, { ...search, limit }, signal));
  if (near) {
    found = fuseRankings([found, near], limit);
    ranking.push("vectors");
  }
  const ranked = await orWarn(() => rerank(models, found, search, signal));
  if (ranked) ranking.push("rerank");
  const hits = (ranked ?? found).slice(0, search.limit).map((chunk) => toHit(chunk, search.question));
  return { hits, ranking, warnings };
}

/** Null where no model makes vectors. */
async function searchVectors(
  { vectors }: KnowledgeStore,
  { embedding: model, options }: KnowledgeModels,
  { base, question, limit, filters }: WordSearch,
  signal: AbortSignal | undefined,
): Promise<FoundChunk[] | null> {
  if (model === null) return null;
  const [vector] = await embedTexts(model, [question], { ...options, signal });
  if (!vector) return null;
  const found = await vectors.search({ base, model, vector, limit, filters });
  if (found.length > 0) return found;
  const message = `The knowledge base has no vectors of ${model}.`;
  throw new DrydockError("model.unavailable", message, "`drydock kb refresh NAME` makes them.");
}

/** Null where no model ranks. */
async function rerank(
  { rerank: model, options }: KnowledgeModels,
  found: readonly FoundChunk[],
  { question, limit }: WordSearch,
  signal: AbortSignal | undefined,
): Promise<FoundChunk[] | null> {
  if (model === null || found.length === 0) return null;
  const candidates = found.slice(0, CANDIDATES);
  const documents = candidates.map(({ text }) => text);
  const ranked = await rerankDocuments(model, { query: question, documents, limit }, { ...options, signal });
  return ranked.flatMap(({ index, score }) => (candidates[index] ? [{ ...candidates[index], score }] : []));
}

const OF_MODELS = /^(model|input)\./;
const OF_MODELS_OR_BUDGET = /^(model|input)\.|^limit\.budget$/;

async function warnOr<T>(warnings: string[], codes: RegExp, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DrydockError) || !codes.test(error.code)) throw error;
    warnings.push(error.message);
    return null;
  }
}

function toHit({ source, position, score, text }: FoundChunk, question: string): KnowledgeHit {
  return {
    ...{ source, score: Number(score.toPrecision(6)), text },
    position: KnowledgePosition.parse(JSON.parse(position)),
    snippet: makeSnippet(text, question),
  };
}
