import type { createAnthropic } from "@ai-sdk/anthropic";
import type { ProviderApi } from "@drydock/protocol";
import { createProviderFetch } from "./provider-fetch.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** The AI SDK's common interface of language models, which every provider package implements. */
export type SdkModel = ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>;
export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkPart =
  Awaited<ReturnType<SdkModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Address and key are always passed: for a missing one, the SDK would look into the environment by itself. */
interface Connection {
  name: string;
  baseURL: string;
  apiKey: string;
  fetch: typeof globalThis.fetch;
}

/** One way to speak with a provider: the package of the AI SDK that does it, and what it wants to have differently. */
interface Wire {
  /** The package is loaded here and nowhere else, when the first request goes out. */
  open(connection: Connection, model: string, settings: ProviderSettings): Promise<SdkModel>;
  /** What goes with every request, in the words of the package. */
  callOptions: NonNullable<SdkCall["providerOptions"]>;
  /** Servers may ignore the JSON Schema that goes with a request: it is said in words, too. */
  mayIgnoreSchemas?: true;
  /** Makes an address as people write it the one that the package needs. */
  completeAddress?(baseUrl: string): string;
}

const OPENAI_OPTIONS = { openai: { strictJsonSchema: false, store: false } };

export const WIRES: Readonly<Record<ProviderApi, Wire>> = {
  anthropic: {
    async open(connection, model) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...connection, name: "anthropic.messages" }).languageModel(model);
    },
    callOptions: {},
    // Anthropic's own tools take the address without `/v1`, which everybody else's have.
    completeAddress(baseUrl) {
      const url = new URL(baseUrl);
      return url.pathname === "/" ? new URL("/v1", url).href : baseUrl;
    },
  },
  openai: {
    async open(connection, model) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...connection, name: "openai" }).chat(model);
    },
    callOptions: OPENAI_OPTIONS,
  },
  "openai-responses": {
    async open(connection, model) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ ...connection, name: "openai" }).responses(model);
    },
    callOptions: OPENAI_OPTIONS,
  },
  "openai-compatible": {
    async open(connection, model, { key, schemas }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...connection,
        apiKey: key,
        includeUsage: true,
        supportsStructuredOutputs: schemas !== false,
      }).chatModel(model);
    },
    callOptions: { openaiCompatible: { strictJsonSchema: false } },
    mayIgnoreSchemas: true,
  },
};

export function openSdkModel(provider: string, model: string, settings: ProviderSettings): Promise<SdkModel> {
  const connection = {
    name: provider,
    baseURL: settings.baseUrl,
    apiKey: settings.key ?? "none",
    fetch: createProviderFetch(settings),
  };
  return WIRES[settings.api].open(connection, model, settings);
}
