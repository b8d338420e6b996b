import type { ModelBudget } from "@drydock/protocol";
import type { EndpointOptions } from "../../models/index.ts";
import { type EnvironmentVariables, readEndpoints, readHomeConfig } from "../models/index.ts";

/** The models that searches use, by `config.yaml`; null where none is named. */
export interface KnowledgeModels {
  embedding: string | null;
  rerank: string | null;
  options: EndpointOptions;
  /** For all calls of one search or of reading documents once. */
  budget: ModelBudget;
}

export async function readKnowledgeModels(home: string, environment: EnvironmentVariables): Promise<KnowledgeModels> {
  const { knowledge = {}, models = {} } = await readHomeConfig(home);
  return {
    embedding: knowledge.embedding ?? null,
    rerank: knowledge.rerank ?? null,
    options: await readEndpoints(home, environment),
    budget: models.budget ?? {},
  };
}
