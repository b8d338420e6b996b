import type { ModelPrice, ModelUsage } from "@drydock/protocol";
import type { ModelRequest } from "./model.ts";

/** What a provider says it counted. */
export interface TokenCount {
  input: number;
  output: number;
  /** Parts of `input`. */
  cacheRead: number;
  cacheWrite: number;
}

/** Rather too many than too few: most text has four characters a token, code and other scripts have fewer. */
const CHARS_PER_TOKEN = 3.5;
/** Providers count a picture by its size on the screen, up to about 1,600 tokens. */
const CHARS_PER_PICTURE = 1600 * CHARS_PER_TOKEN;

export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** Characters of everything that goes out with a request. */
export function countInputChars(request: ModelRequest): number {
  let chars = request.system.length;
  for (const message of request.messages) {
    chars += message.text.length;
    if (message.role === "user") chars += (message.pictures?.length ?? 0) * CHARS_PER_PICTURE;
    if (message.role === "assistant" && message.toolCalls.length > 0) chars += JSON.stringify(message.toolCalls).length;
  }
  if (request.tools) chars += JSON.stringify(request.tools).length;
  if (request.output) chars += JSON.stringify(request.output.schema).length;
  return chars;
}

export function priceUsage(count: TokenCount, price: ModelPrice | null): ModelUsage {
  return {
    inputTokens: count.input,
    outputTokens: count.output,
    cachedInputTokens: count.cacheRead,
    costUsd: price === null ? null : computeCost(count, price),
  };
}

function computeCost(count: TokenCount, price: ModelPrice): number {
  const plain = Math.max(0, count.input - count.cacheRead - count.cacheWrite);
  const perMillion =
    plain * price.input +
    count.cacheRead * (price.cachedInput ?? price.input) +
    count.cacheWrite * (price.cacheWrite ?? price.input) +
    count.output * price.output;
  return perMillion / 1_000_000;
}

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, costUsd: 0 };

/** The cost of a sum is unknown as soon as one part's is, unless that part used nothing. */
export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    costUsd: addCost(a, b),
  };
}

function addCost(a: ModelUsage, b: ModelUsage): number | null {
  const known = (usage: ModelUsage) => (usage.inputTokens + usage.outputTokens === 0 ? 0 : usage.costUsd);
  const [left, right] = [known(a), known(b)];
  return left === null || right === null ? null : left + right;
}
