import type { UpstreamApi } from "@drydock/protocol";

/** How long the answers may be that a request asks for. */
export interface OutputLimit {
  /** All of its alternatives together; undefined: it does not say. */
  readonly tokens: number | undefined;
  /** Bounds all of them together. */
  write(body: Record<string, unknown>, tokens: number): void;
}

/** Names of the same setting, the usual one first. Servers differ in which of several they go by: the largest counts. */
interface Names {
  /** The object that holds them; none: the body itself. */
  readonly within: readonly string[];
  readonly limit: readonly string[];
  readonly alternatives: readonly string[];
}

const CHAT_LIMITS = ["max_completion_tokens", "max_tokens"];
/** Google reads its fields in both spellings. */
const GEMINI: Names = {
  within: ["generationConfig", "generation_config"],
  limit: ["maxOutputTokens", "max_output_tokens"],
  alternatives: ["candidateCount", "candidate_count"],
};

export function readOutputLimit(api: UpstreamApi, path: string, body: Record<string, unknown>): OutputLimit {
  const names = namesOf(api, path);
  const places = names.within.length > 0 ? names.within.map((name) => Object(body[name])) : [body];
  const limits = places.flatMap((place) => readCounts(place, names.limit));
  const alternatives = Math.max(1, ...places.flatMap((place) => readCounts(place, names.alternatives)));
  return {
    tokens: limits.length > 0 ? Math.max(...limits) * alternatives : undefined,
    write(changed, tokens) {
      const each = Math.max(1, Math.floor(tokens / alternatives));
      const found = names.within.filter((name) => changed[name] !== undefined);
      if (names.within.length === 0) lower(changed, names.limit, each);
      for (const name of found.length > 0 ? found : names.within.slice(0, 1)) {
        const place = { ...Object(changed[name]) };
        lower(place, names.limit, each);
        changed[name] = place;
      }
    },
  };
}

function namesOf(api: UpstreamApi, path: string): Names {
  if (api === "gemini") return GEMINI;
  if (api === "anthropic") return { within: [], limit: ["max_tokens", "max_tokens_to_sample"], alternatives: [] };
  if (/\/responses$/.test(path)) return { within: [], limit: ["max_output_tokens"], alternatives: [] };
  const limit = /\/chat\/completions$/.test(path) ? CHAT_LIMITS : ["max_tokens"];
  return { within: [], limit, alternatives: ["n", "best_of"] };
}

/** Numbers as text count as well: some servers take them. */
function readCounts(place: Record<string, unknown>, names: readonly string[]): number[] {
  return names
    .map((name) => (typeof place[name] === "string" ? Number(place[name]) : place[name]))
    .filter((value): value is number => typeof value === "number" && value > 0 && Number.isFinite(value))
    .map(Math.ceil);
}

/** Every name that is there already, so that none of them says more; the usual one where there is none. */
function lower(place: Record<string, unknown>, names: readonly string[], tokens: number): void {
  const there = names.filter((name) => place[name] !== undefined && place[name] !== null);
  for (const name of there.length > 0 ? there : names.slice(0, 1)) place[name] = tokens;
}
