import type { Expectation, TestFile } from "./expectation.ts";
import { spoilAssertion, spoilMatcher } from "./tokens/assertions.ts";
import type { Spoiler } from "./tokens/comparisons.ts";
import { spoilCondition, spoilGuard, spoilStatus } from "./tokens/conditions.ts";
import { readTokens } from "./tokens/read-tokens.ts";
import { syntaxOf } from "./tokens/syntax.ts";

/**
 * What a test in a language without a parser here expects, by its tokens alone: assertions, and conditions that lead to a
 * failure. Values keep their type, so that what was compiled is compiled still.
 */
export function findTokenExpectations({ path, text }: TestFile, salt: string): Expectation[] {
  const syntax = syntaxOf(path, text);
  if (!syntax) return [];
  const tokens = readTokens(text, syntax);
  const spoiler: Spoiler = { syntax, salt };
  let spoiltUntil = 0;
  const found = tokens.flatMap(({ kind, start }, at) => {
    // What is wrong twice over may be right again.
    if (kind !== "word" || start < spoiltUntil) return [];
    const spoilt =
      spoilAssertion(tokens, at, spoiler) ??
      spoilMatcher(tokens, at, spoiler) ??
      spoilCondition(tokens, at, spoiler) ??
      spoilGuard(tokens, at, spoiler);
    if (!spoilt) return [];
    spoiltUntil = Math.max(spoiltUntil, ...spoilt.splices.map(({ end }) => end));
    return [spoilt];
  });
  if (syntax.hasPreprocessor) found.push(...spoilStatus(tokens, spoiler));
  // A function that compares is left as it is where its calls are made wrong: both together would be right again.
  const kinds = ["value", "truth", "indirect", "weak"] as const;
  const strongest = kinds.find((kind) => found.some(({ strength }) => strength === kind));
  const kept = found.filter(({ strength }) => strength === strongest);
  return kept.map(({ splices }) => ({ test: null, isReached: true, splices }));
}
