import type { Provider } from "./provider.ts";

export const gemini: Provider = {
  name: "gemini",
  company: "Google",
  api: "openai-compatible",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  keyVariable: "GEMINI_API_KEY",
  suggestedModel: "gemini-2.5-pro",
  prices: {
    "gemini-2.5-pro": { input: 1.25, output: 10 },
    "gemini-2.5-flash": { input: 0.3, output: 2.5 },
  },
  keyFormat: { name: "google-key", begins: "AIza", continues: "[A-Za-z0-9_-]{35,64}" },
};
