import type { UpstreamApi } from "@drydock/protocol";

/** What is known of an upstream by its name. What the owner configures wins over it. */
export interface Preset {
  readonly api: UpstreamApi;
  /** Its model provider, whose address and key are used where the owner gives no others. Absent: it has none. */
  readonly provider?: string;
  /** Absent: that of its provider. */
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly prefix: string;
  readonly header: string;
  readonly scheme: string | null;
  /** Nothing else is let through: an account's administration, files and billing are no business of a run. */
  readonly allow: readonly string[];
  readonly variables: {
    /** Get the address inside, with `path` at its end. */
    readonly address: readonly string[];
    readonly path: string;
    /** Get a placeholder: programs insist on a key. */
    readonly key: readonly string[];
  };
  /** What `drydock upstream test` asks for: it costs nothing, and needs the key. */
  readonly probe: string;
}

export const PRESETS: Readonly<Record<string, Preset>> = {
  anthropic: {
    api: "anthropic",
    provider: "anthropic",
    prefix: "/v1",
    header: "x-api-key",
    scheme: null,
    allow: ["POST /v1/messages", "POST /v1/messages/count_tokens", "GET /v1/models", "GET /v1/models/*"],
    variables: { address: ["ANTHROPIC_BASE_URL"], path: "", key: ["ANTHROPIC_API_KEY"] },
    probe: "/v1/models",
  },
  openai: {
    api: "openai",
    provider: "openai",
    prefix: "/v1",
    header: "authorization",
    scheme: "Bearer",
    allow: [
      "POST /v1/chat/completions",
      "POST /v1/responses",
      "POST /v1/embeddings",
      "GET /v1/models",
      "GET /v1/models/*",
    ],
    variables: { address: ["OPENAI_BASE_URL", "OPENAI_API_BASE"], path: "/v1", key: ["OPENAI_API_KEY"] },
    probe: "/v1/models",
  },
  gemini: {
    api: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com",
    keyVariable: "GEMINI_API_KEY",
    prefix: "",
    header: "x-goog-api-key",
    scheme: null,
    allow: [
      "POST /v1beta/models/*:generateContent",
      "POST /v1beta/models/*:streamGenerateContent",
      "POST /v1beta/models/*:countTokens",
      "GET /v1beta/models",
      "GET /v1beta/models/*",
    ],
    variables: { address: ["GOOGLE_GEMINI_BASE_URL"], path: "", key: ["GEMINI_API_KEY"] },
    probe: "/v1beta/models",
  },
  github: {
    api: "github",
    baseUrl: "https://api.github.com",
    keyVariable: "GITHUB_TOKEN",
    prefix: "",
    header: "authorization",
    scheme: "Bearer",
    allow: [
      "GET /user",
      "GET /rate_limit",
      "GET /repos/**",
      "GET /search/**",
      "GET /orgs/*/repos",
      "GET /users/*/repos",
      "POST /repos/*/*/issues",
      "POST /repos/*/*/issues/*/comments",
      "POST /repos/*/*/pulls",
    ],
    variables: { address: ["GITHUB_API_URL"], path: "", key: ["GITHUB_TOKEN"] },
    probe: "/user",
  },
};

export function findPreset(name: string): Preset | undefined {
  return Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
}
