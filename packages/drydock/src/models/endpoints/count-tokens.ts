import * as z from "zod";
import { meterCall } from "./meter-call.ts";
import { type EndpointOptions, openTarget, postJson } from "./post-json.ts";

export interface CountRequest {
  system: string;
  messages: readonly { role: "user" | "assistant"; text: string }[];
  /** Descriptions of functions, as they go with the request. */
  funcs: readonly Record<string, unknown>[];
}

const Counted = z.object({ input_tokens: z.number().int().nonnegative() });
const ANTHROPIC_VERSION = "2023-06-01";
/** What a chat adds to each message, and to the answer that follows, by OpenAI's own account. */
const PER_MESSAGE = 3;
const FOR_THE_ANSWER = 3;

/**
 * How many tokens a prompt takes. Anthropic counts itself; all others are counted here with OpenAI's encoding, which is
 * exact for its current models and near for others.
 */
export async function countTokens(model: string, request: CountRequest, options: EndpointOptions): Promise<number> {
  const target = openTarget(model, options);
  if (target.settings.api === "anthropic") {
    const call = {
      path: "/messages/count_tokens",
      body: toAnthropic(target.name, request),
      answer: Counted,
      headers: { "x-api-key": target.settings.key ?? "none", "anthropic-version": ANTHROPIC_VERSION },
    };
    const { input_tokens } = await meterCall(
      target,
      {
        ...{ purpose: "count", inputs: request.messages.length, chars: 0 },
        send: (signal) => postJson(target, call, { ...options, signal }),
        readTokens: () => 0,
      },
      options,
    );
    return input_tokens;
  }
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  const { system, messages, funcs } = request;
  const texts = [...(system === "" ? [] : [system]), ...messages.map(({ text }) => text)];
  // What looks like a special token in a text of users is text.
  const countText = (text: string) => count(text, { disallowedSpecial: new Set() });
  const described = funcs.length === 0 ? 0 : countText(JSON.stringify(funcs));
  return texts.reduce((sum, text) => sum + countText(text) + PER_MESSAGE, described + FOR_THE_ANSWER);
}

function toAnthropic(model: string, { system, messages, funcs }: CountRequest): Record<string, unknown> {
  const tools = funcs.map((func) => {
    const { name, description, parameters } = Object(func.function ?? func) as Record<string, unknown>;
    return { name, description, input_schema: parameters ?? { type: "object" } };
  });
  return {
    ...{ model, messages: messages.map(({ role, text }) => ({ role, content: text })) },
    ...(system !== "" && { system }),
    ...(tools.length > 0 && { tools }),
  };
}
