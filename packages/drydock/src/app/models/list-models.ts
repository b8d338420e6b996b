import { SUGGESTIONS } from "../../base/providers/index.ts";
import type { ModelList } from "./api.ts";
import { type ModelSources, readModelSettings } from "./config-models.ts";

/** The default model, and every provider with whether its key is found. */
export async function listModels(sources: ModelSources): Promise<ModelList> {
  const { spec, source, detected, options } = await readModelSettings(sources);
  const providers = Object.entries(options.providers ?? {}).map(([name, settings]) => ({
    name,
    api: settings.api,
    baseUrl: settings.baseUrl,
    keyVariable: settings.keyVariable ?? null,
    hasKey: settings.key !== undefined,
    problem: settings.problem ?? null,
  }));
  return {
    models: spec ?? [],
    source,
    reason: detected?.reason ?? null,
    suggested: SUGGESTIONS.map(({ model }) => model),
    providers,
  };
}
