import type { MatchAnswer, MatchRequest } from "./apart-messages.ts";

const MATCH_CHARS = 200;

/** `^` and `$` match at lines, and characters beyond U+FFFF count as one. */
export function matchText({ pattern, text }: MatchRequest): MatchAnswer {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "mu");
  } catch (error) {
    return { kind: "invalid", reason: error instanceof Error ? error.message : String(error) };
  }
  const found = expression.exec(text);
  if (!found) return { kind: "unmatched" };
  return { kind: "matched", index: found.index, match: found[0].slice(0, MATCH_CHARS).toWellFormed() };
}
