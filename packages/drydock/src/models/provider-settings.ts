import type { ProviderApi } from "@drydock/protocol";

/** Everything that is needed to reach a provider. Comes from the configuration; nothing here looks at the environment. */
export interface ProviderSettings {
  api: ProviderApi;
  baseUrl: string;
  /** The variable that should hold the key. Where it is set and `key` is not, the provider can't be asked. */
  keyVariable?: string;
  key?: string;
  /** Whether a JSON Schema goes with the request. Default true. */
  schemas?: boolean;
  /** Why it can't be asked as it is set up: shown to whoever asks it, and to nobody else. */
  problem?: string;
  /** Where the address comes from, for the hint when nobody answers there. */
  baseUrlSetting?: string;
}

/** What the names stand for without any configuration. */
export const KNOWN_PROVIDERS = {
  anthropic: { api: "anthropic", baseUrl: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY" },
  openai: { api: "openai-responses", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  ollama: { api: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" },
} as const satisfies Record<string, ProviderSettings>;
