import type { Splice } from "../../../source/splice.ts";
import { changedWord, matches } from "./words.ts";

const CALL =
  /(?:^|[;&|({!]|\bthen|\bdo|\belse)[ \t]*((?:assert|expect|check|verify|should|must|test|is|ok)\w*)[ \t]+(?=\S)/gm;
const VALUE = String.raw`"(?:[^"\\$]|\\.|\$\((?:[^()]|\([^()]*\)){0,300}\)|\$){0,300}"|'[^']{0,300}'|\$\((?:[^()]|\([^()]*\)){0,300}\)|[^\s"'();|&]+`;
const ARGUMENT = new RegExp(String.raw`[ \t]*((?:${VALUE})+)`, "y");
/** The shell's own, and those of Bats that are read elsewhere. */
const OTHERS = /^(test|assert_(success|failure|output|line|equal|regex))$/;

/**
 * Calls of functions that compare, such as `assert_eq "$(add 2 3)" 5`. The words beside the value that is looked at are
 * changed: one of them is what is expected, the other at most a name.
 */
export function findAssertionCalls(text: string): Splice[][] {
  return matches(text, CALL).flatMap((match) => {
    if (OTHERS.test(match[1] ?? "")) return [];
    const words = readArguments(text, match.index + match[0].length);
    const subject = words.findIndex(({ word }) => isLive(word));
    const beside = [words[subject - 1], words[subject + 1]].filter(
      (each) => subject >= 0 && each !== undefined && !isLive(each.word) && !/^-|^[<>=!~]+$/.test(each.word),
    );
    const splices = beside.flatMap((each) =>
      each
        ? [{ start: each.start, end: each.start + each.word.length, replacement: changedWord(each.word, false) }]
        : [],
    );
    return splices.length > 0 ? [splices] : [];
  });
}

interface Argument {
  word: string;
  start: number;
}

function readArguments(text: string, from: number): Argument[] {
  const found: Argument[] = [];
  ARGUMENT.lastIndex = from;
  for (let match = ARGUMENT.exec(text); match !== null && found.length < 20; match = ARGUMENT.exec(text)) {
    const word = match[1] ?? "";
    found.push({ word, start: match.index + match[0].length - word.length });
  }
  return found;
}

/** Whether it is made while the script runs. */
function isLive(word: string): boolean {
  return !word.startsWith("'") && /[$`]/.test(word);
}
