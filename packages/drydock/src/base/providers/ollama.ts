import type { Provider } from "./provider.ts";

/** On this machine. It has no key that could be found, so that no model of it is suggested. */
export const ollama: Provider = {
  name: "ollama",
  company: "Ollama",
  api: "openai-compatible",
  baseUrl: "http://127.0.0.1:11434/v1",
  prices: { "*": { input: 0, output: 0 } },
};
