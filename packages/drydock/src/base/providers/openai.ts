import type { Provider } from "./provider.ts";

export const openai: Provider = {
  name: "openai",
  company: "OpenAI",
  api: "openai-responses",
  // Servers that speak OpenAI's protocol mostly have its older endpoint only.
  apiElsewhere: "openai",
  baseUrl: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  addressVariable: "OPENAI_BASE_URL",
  suggestedModel: "gpt-5",
  prices: {
    "gpt-5.1": { input: 1.25, output: 10, cachedInput: 0.125 },
    "gpt-5": { input: 1.25, output: 10, cachedInput: 0.125 },
    "gpt-5-mini": { input: 0.25, output: 2, cachedInput: 0.025 },
    "gpt-5-nano": { input: 0.05, output: 0.4, cachedInput: 0.005 },
    "gpt-4.1": { input: 2, output: 8, cachedInput: 0.5 },
    "gpt-4.1-mini": { input: 0.4, output: 1.6, cachedInput: 0.1 },
    "gpt-4.1-nano": { input: 0.1, output: 0.4, cachedInput: 0.025 },
    "gpt-4o": { input: 2.5, output: 10, cachedInput: 1.25 },
    "gpt-4o-mini": { input: 0.15, output: 0.6, cachedInput: 0.075 },
    o3: { input: 2, output: 8, cachedInput: 0.5 },
    "o4-mini": { input: 1.1, output: 4.4, cachedInput: 0.275 },
    "text-embedding-3-small": { input: 0.02, output: 0 },
    "text-embedding-3-large": { input: 0.13, output: 0 },
    "text-embedding-ada-002": { input: 0.1, output: 0 },
  },
  keyFormat: { name: "openai-key", begins: "sk-", continues: "(?:proj|svcacct|admin)-[A-Za-z0-9_-]{16,512}" },
};
