import type { Splice } from "../../../source/splice.ts";
import { changedWord, isFailure, matches, WORD } from "./words.ts";

const CASE = new RegExp(
  String.raw`(?:^|[\s;&|({])case\s+((?:${WORD}|\$\([^\n]{0,200}?\))+)\s+in\b([\s\S]{0,4000}?)\besac\b`,
  "g",
);
/** `PATTERN | PATTERN) commands ;;`; the last one may leave out the `;;`. */
const BRANCH = /(?:^|\s)\(?([^\s();][^();\n]*)\)([\s\S]*?)(?:;;&?|;&|$)/g;
/** Options of the script, and where it runs: no results of the work. */
const SETTING = /^["']?\$(?:\{?(?:[1-9@*#]|opt\w*|arg\w*|key|option|flag|OSTYPE|OS)\b|\(\s*uname)/i;

/** A `case` with a branch that fails: the patterns of the branches that do not fail are what is expected. */
export function findCasePatterns(text: string): Splice[] {
  return matches(text, CASE).flatMap((match) => {
    const [whole, word = "", body = ""] = match;
    if (SETTING.test(word)) return [];
    const start = match.index + whole.length - "esac".length - body.length;
    const branches = [...body.matchAll(BRANCH)];
    if (!branches.some(([, , commands = ""]) => isFailure(commands))) return [];
    return branches.flatMap((branch) => {
      const [all, patterns = "", commands = ""] = branch;
      if (isFailure(commands)) return [];
      return changePatterns(patterns, start + branch.index + all.indexOf(patterns));
    });
  });
}

function changePatterns(patterns: string, at: number): Splice[] {
  return [...patterns.matchAll(/[^\s|]+/g)].flatMap(({ 0: pattern, index }) =>
    /^[*?]+$/.test(pattern)
      ? []
      : [{ start: at + index, end: at + index + pattern.length, replacement: changedWord(pattern, false) }],
  );
}
