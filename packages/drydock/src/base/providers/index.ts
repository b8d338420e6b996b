import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import type { Provider } from "./provider.ts";

/** The providers that are known by name. Where several keys are found, the first of these decides. */
export const PROVIDERS: readonly Provider[] = [anthropic, openai, gemini, ollama];

export function findProvider(name: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.name === name);
}

/** Providers whose key selects the default model: `model` is `PROVIDER/NAME`. */
export const SUGGESTIONS: readonly { provider: Provider; model: string; keyVariable: string }[] = PROVIDERS.flatMap(
  (provider) => {
    const { name, suggestedModel, keyVariable } = provider;
    return suggestedModel && keyVariable ? [{ provider, model: `${name}/${suggestedModel}`, keyVariable }] : [];
  },
);

export type { Provider } from "./provider.ts";
