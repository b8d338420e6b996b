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
  /** Why the provider can't be used as it is configured. Shown only to those who use it. */
  problem?: string;
  /** Where the address comes from, for the hint when nobody answers there. */
  baseUrlSetting?: string;
  /** Requests go through these, by the scheme of the address. */
  proxy?: ProxySettings;
}

/** The usual variables: `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`. */
export interface ProxySettings {
  /** Proxy for addresses that start with `http:`. */
  http?: string;
  /** Proxy for addresses that start with `https:`. */
  https?: string;
  /** Hosts that are reached directly, separated by commas. */
  except: string;
}

/** What the names stand for without any configuration. */
export const KNOWN_PROVIDERS = {
  anthropic: { api: "anthropic", baseUrl: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY" },
  openai: { api: "openai-responses", baseUrl: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  gemini: {
    api: "openai-compatible",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariable: "GEMINI_API_KEY",
  },
  ollama: { api: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" },
} as const satisfies Record<string, ProviderSettings>;

/**
 * The model that is asked where a provider's key is found and nobody named a model, in the order of preference. Ollama is
 * missing: it has no key that could be found.
 */
export const SUGGESTED_MODELS = {
  anthropic: "anthropic/claude-sonnet-4-5",
  openai: "openai/gpt-5",
  gemini: "gemini/gemini-2.5-pro",
} as const satisfies Partial<Record<keyof typeof KNOWN_PROVIDERS, string>>;
