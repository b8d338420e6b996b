import type { ModelPrice } from "@drydock/protocol";

/**
 * List prices in USD per million tokens, by `provider/name` or `provider/*`. Prices change and rebates exist: what the
 * configuration says (`models.prices`) wins, and a model that stands nowhere has no known price.
 */
const LIST_PRICES: Readonly<Record<string, ModelPrice>> = {
  "anthropic/claude-opus-4-6": { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  "anthropic/claude-opus-4-5": { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  "anthropic/claude-opus-4-1": { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
  "anthropic/claude-opus-4": { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
  "anthropic/claude-sonnet-4-6": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  "anthropic/claude-sonnet-4-5": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  "anthropic/claude-sonnet-4": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
  "anthropic/claude-3-7-sonnet": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  "anthropic/claude-3-5-haiku": { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1 },
  "openai/gpt-5.1": { input: 1.25, output: 10, cachedInput: 0.125 },
  "openai/gpt-5": { input: 1.25, output: 10, cachedInput: 0.125 },
  "openai/gpt-5-mini": { input: 0.25, output: 2, cachedInput: 0.025 },
  "openai/gpt-5-nano": { input: 0.05, output: 0.4, cachedInput: 0.005 },
  "openai/gpt-4.1": { input: 2, output: 8, cachedInput: 0.5 },
  "openai/gpt-4.1-mini": { input: 0.4, output: 1.6, cachedInput: 0.1 },
  "openai/gpt-4.1-nano": { input: 0.1, output: 0.4, cachedInput: 0.025 },
  "openai/gpt-4o": { input: 2.5, output: 10, cachedInput: 1.25 },
  "openai/gpt-4o-mini": { input: 0.15, output: 0.6, cachedInput: 0.075 },
  "openai/o3": { input: 2, output: 8, cachedInput: 0.5 },
  "openai/o4-mini": { input: 1.1, output: 4.4, cachedInput: 0.275 },
  "gemini/gemini-2.5-pro": { input: 1.25, output: 10 },
  "gemini/gemini-2.5-flash": { input: 0.3, output: 2.5 },
  "ollama/*": { input: 0, output: 0 },
};

/** `-20250929`, `-2025-08-07` and `-latest` name a version of the model that stands in the table. */
const VERSION = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest|0)$/;

/** Null where nobody knows. The owner's prices are looked at first, as a whole. */
export function findPrice(model: string, own: Readonly<Record<string, ModelPrice>> = {}): ModelPrice | null {
  const provider = model.slice(0, model.indexOf("/"));
  for (const table of [own, LIST_PRICES]) {
    for (const name of [model, model.replace(VERSION, ""), `${provider}/*`]) {
      if (Object.hasOwn(table, name)) return table[name] ?? null;
    }
  }
  return null;
}
