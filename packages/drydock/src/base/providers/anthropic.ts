import type { Provider } from "./provider.ts";

export const anthropic: Provider = {
  name: "anthropic",
  company: "Anthropic",
  api: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  keyVariable: "ANTHROPIC_API_KEY",
  addressVariable: "ANTHROPIC_BASE_URL",
  suggestedModel: "claude-sonnet-4-5",
  prices: {
    "claude-opus-4-6": { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
    "claude-opus-4-5": { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
    "claude-opus-4-1": { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
    "claude-opus-4": { input: 15, output: 75, cachedInput: 1.5, cacheWrite: 18.75 },
    "claude-sonnet-4-6": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
    "claude-sonnet-4-5": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
    "claude-sonnet-4": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
    "claude-haiku-4-5": { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
    "claude-3-7-sonnet": { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
    "claude-3-5-haiku": { input: 0.8, output: 4, cachedInput: 0.08, cacheWrite: 1 },
  },
  keyFormat: { name: "anthropic-key", begins: "sk-ant-", continues: "[A-Za-z0-9_-]{16,512}" },
};
