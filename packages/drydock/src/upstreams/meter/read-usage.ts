import type { TokenCount } from "../../models/index.ts";

/** Counts that are missing stay undefined, so that a later event of a stream adds to an earlier one. */
type Counts = Partial<TokenCount>;

/**
 * The numbers of tokens in one JSON value of an answer: a whole answer, or the data of one event. It knows the usage of OpenAI (chat
 * completions, responses, embeddings), Anthropic and Gemini, by their fields. Null: there are none.
 */
export function readUsage(value: unknown): Counts | null {
  const root = fieldsOf(value);
  const usage = [root.usage, fieldsOf(root.response).usage, fieldsOf(root.message).usage].find(isFields);
  if (usage) return "prompt_tokens" in usage ? readChat(usage) : readInputAndOutput(usage);
  return isFields(root.usageMetadata) ? readGemini(root.usageMetadata) : null;
}

/** Later counts of one answer replace earlier ones: streams count up. */
export function mergeUsage(before: Counts, more: Counts): Counts {
  const known = Object.entries(more).filter(([, count]) => count !== undefined);
  return { ...before, ...Object.fromEntries(known) };
}

function readChat(usage: Fields): Counts {
  return {
    input: countOf(usage.prompt_tokens),
    output: countOf(usage.completion_tokens) ?? 0,
    cacheRead: countOf(fieldsOf(usage.prompt_tokens_details).cached_tokens),
  };
}

/** OpenAI's responses count what was cached within the input, Anthropic beside it. */
function readInputAndOutput(usage: Fields): Counts {
  const input = countOf(usage.input_tokens);
  const output = countOf(usage.output_tokens);
  if (isFields(usage.input_tokens_details)) {
    return { input, output, cacheRead: countOf(usage.input_tokens_details.cached_tokens) };
  }
  const cacheRead = countOf(usage.cache_read_input_tokens);
  const cacheWrite = countOf(usage.cache_creation_input_tokens);
  if (input === undefined) return { output };
  return { input: input + (cacheRead ?? 0) + (cacheWrite ?? 0), output, cacheRead, cacheWrite };
}

function readGemini(usage: Fields): Counts {
  const output = [usage.candidatesTokenCount, usage.thoughtsTokenCount].map(countOf);
  return {
    input: countOf(usage.promptTokenCount),
    output: output.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    cacheRead: countOf(usage.cachedContentTokenCount),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** An upstream's number, not trusted further than that it is one. */
function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}
