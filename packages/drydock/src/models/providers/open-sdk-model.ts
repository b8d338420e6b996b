import type { createAnthropic } from "@ai-sdk/anthropic";
import { createProviderFetch } from "./provider-fetch.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** The AI SDK's common interface of language models, which every provider package implements. */
export type SdkModel = ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>;
export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkPart =
  Awaited<ReturnType<SdkModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/**
 * Address and key are always given: for one that is missing, the SDK would look into the environment by itself. The
 * packages are loaded here and nowhere else, when the first request goes out.
 */
export async function openSdkModel(provider: string, name: string, settings: ProviderSettings): Promise<SdkModel> {
  const common = {
    name: provider,
    baseURL: settings.baseUrl,
    apiKey: settings.key ?? "none",
    fetch: createProviderFetch(settings),
  };
  switch (settings.api) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ ...common, name: "anthropic.messages" }).languageModel(name);
    }
    case "openai":
    case "openai-responses": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI({ ...common, name: "openai" });
      return settings.api === "openai" ? openai.chat(name) : openai.responses(name);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...common,
        apiKey: settings.key,
        includeUsage: true,
        supportsStructuredOutputs: settings.schemas !== false,
      }).chatModel(name);
    }
    default:
      return settings.api satisfies never;
  }
}
