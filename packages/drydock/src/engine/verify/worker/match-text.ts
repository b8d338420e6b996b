import type { MatchAnswer, MatchRequest } from "./worker-messages.ts";

const MATCH_CHARS = 200;

/** `^` and `$` match at lines, and characters beyond U+FFFF count as one. */
export function matchText({ pattern, text }: MatchRequest): MatchAnswer {
  try {
    const found = new RegExp(pattern, "mu").exec(text);
    if (!found) return { kind: "unmatched" };
    return { kind: "matched", index: found.index, match: found[0].slice(0, MATCH_CHARS).toWellFormed() };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "invalid", reason: "it goes back over too much of the text." };
    return { kind: "invalid", reason: error instanceof Error ? error.message : String(error) };
  }
}
