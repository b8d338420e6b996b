import type { Splice } from "../../source/splice.ts";
import type { Expectation, TestFile } from "./expectation.ts";
import { findAssertionCalls } from "./shell/assertion-calls.ts";
import { findCasePatterns } from "./shell/case-patterns.ts";
import { findComparedText } from "./shell/compared-text.ts";
import { changeWord, failsIfTrue, matches, sameWord, WORD } from "./shell/words.ts";

/** The patterns look ahead a bounded way from each place. */
const MAX_LENGTH = 128 * 1024;
/** Words that may be quoted in parts: `*"done"*`. */
const WORDS = `(?:${WORD})+`;
/** `[ … = … ]`, `[[ … == … ]]`, `test … = …`; what stands on the left may hold anything. */
const COMPARED = new RegExp(
  String.raw`(?:^|[\s;|&(!])(?:\[\[?|test)\s[^\n]{0,200}?\s(==?|!=|=~|-eq|-ne|-gt|-ge|-lt|-le)\s+(${WORDS})`,
  "g",
);
const UNARY = /((?:^|[\s;|&(])(?:\[\[?|test)\s+)(!\s+)?(-[efdsnzxrwhL])\s/g;
const GREP = new RegExp(String.raw`\b[efz]?grep\s+((?:-[A-Za-z-]+\s+)*)(${WORD})`, "g");
/** `(( … == … ))`; the heads of loops are none. */
const ARITHMETIC = /(?:^|[\s;&|!])\(\([ \t]*[^;\n]{1,200}?[ \t]*(==|!=|<=|>=|<|>)[ \t]*([^\s();]+)[ \t]*\)\)/gm;
const BATS = new RegExp(
  String.raw`\b(assert_output|assert_line|assert_equal|assert_regex)\s[^\n;]{0,200}?(${WORD})\s*$`,
  "gm",
);
const FLIPPED: Record<string, string> = {
  "-gt": "-le",
  "-le": "-gt",
  "-lt": "-ge",
  "-ge": "-lt",
  "-eq": "-ne",
  "-ne": "-eq",
  "=": "!=",
  "==": "!=",
  "!=": "=",
  "-n": "-z",
  "-z": "-n",
};
const FLIPPED_ARITHMETIC: Record<string, string> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

const SHELL = /\.(sh|bash|bats|ksh|zsh)$/i;
const FIRST_LINE = /^#!.*[/\s](?:(?:ba|da|k|z|a)?sh|bats)\b/;

/** By its name, or by its first line where the name has no ending. */
export function isShell({ path, text, language }: TestFile): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SHELL.test(name) || language === "shell" || (!/.\./.test(name) && FIRST_LINE.test(text));
}

/** What a shell script expects: comparisons, grep, `case`, text to compare with, calls of functions that compare, Bats. */
export function findShellExpectations({ text }: TestFile): Expectation[] {
  if (text.length > MAX_LENGTH) return [];
  const calls = findAssertionCalls(text);
  // A function that compares its arguments stays as it is if its calls are spoilt.
  const isOwn = (match: RegExpExecArray) => calls.length === 0 || !/\$\{?[1-9]/.test(match[2] ?? "");
  const single = [
    ...matches(text, COMPARED)
      .filter(isOwn)
      .map((match) => spoilComparison(text, match)),
    ...matches(text, ARITHMETIC)
      .filter(isOwn)
      .map((match) => spoilArithmetic(text, match)),
    ...matches(text, UNARY).map(spoilUnary),
    ...matches(text, GREP).map((match) => spoilGrep(text, match)),
    ...matches(text, BATS).map((match) => changeWord(match, match.at(-1) ?? "", false)),
    ...findComparedText(text),
    ...findCasePatterns(text),
    ...matches(text, /\bassert_(success|failure)\b/g).map(
      (match): Splice => replaced(match, match[0], match[1] === "success" ? "assert_failure" : "assert_success"),
    ),
  ];
  const groups = [...single.map((splice) => [splice]), ...calls];
  return groups
    .map((group) => group.filter(({ start, end, replacement }) => text.slice(start, end) !== replacement))
    .filter((group) => group.length > 0)
    .toSorted(([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0))
    .map((splices) => ({ test: null, isReached: true, splices }));
}

/** Edits after which a script compares with the same words, which the shell makes while it runs. */
export function saySameShell({ text }: TestFile): Splice[] {
  if (text.length > MAX_LENGTH) return [];
  const last = (match: RegExpExecArray): Splice[] => {
    const word = match[2] ?? "";
    const replacement = /~/.test(match[1] ?? "") ? null : sameWord(word);
    const start = match.index + match[0].lastIndexOf(word);
    return replacement === null ? [] : [{ start, end: start + word.length, replacement }];
  };
  return [
    ...[COMPARED, ARITHMETIC, GREP].flatMap((pattern) => matches(text, pattern)).flatMap(last),
    ...findAssertionCalls(text)
      .flat()
      .flatMap(({ start, end }) => {
        const replacement = sameWord(text.slice(start, end));
        return replacement === null ? [] : [{ start, end, replacement }];
      }),
  ];
}

/** Equality gets another value to compare with. Where equal is bad, or there is no value, the operator is turned round. */
function spoilComparison(text: string, match: RegExpExecArray): Splice {
  const [, operator = "", word = ""] = match;
  const wantsEqual = operator === "=" || operator === "==" || operator === "-eq" || operator === "=~";
  const isBad = failsIfTrue(text, match.index + match[0].length);
  const isNumber = operator.startsWith("-");
  const canChange = isNumber ? /^["']?\d+["']?$/.test(word) && /-eq|-ne/.test(operator) : true;
  if (canChange && (wantsEqual || operator === "!=" || operator === "-ne") && wantsEqual !== isBad) {
    return changeWord(match, word, operator === "=~");
  }
  return flipOperator(match, operator, word, FLIPPED);
}

/** In arithmetic, a letter would be the name of a variable: only numbers are changed. */
function spoilArithmetic(text: string, match: RegExpExecArray): Splice {
  const [, operator = "", word = ""] = match;
  const isBad = failsIfTrue(text, match.index + match[0].length);
  const isChanged = /^\d+$/.test(word) && operator === (isBad ? "!=" : "==");
  return isChanged ? changeWord(match, word, false) : flipOperator(match, operator, word, FLIPPED_ARITHMETIC);
}

function flipOperator(
  match: RegExpExecArray,
  operator: string,
  word: string,
  flipped: Readonly<Record<string, string>>,
): Splice {
  const at = match.index + match[0].lastIndexOf(operator, match[0].lastIndexOf(word) - 1);
  return { start: at, end: at + operator.length, replacement: flipped[operator] ?? operator };
}

function spoilUnary(match: RegExpExecArray): Splice {
  const [whole, before = "", not, operator = ""] = match;
  const start = match.index + before.length;
  const end = match.index + whole.length - 1;
  return { start, end, replacement: not ? operator : (FLIPPED[operator] ?? `! ${operator}`) };
}

const PIPELINE_START = /(?:^|;|&&|\|\||\b(?:if|elif|while|then|do|else)\b|[{(])\s*(?=[^;&{(]*$)/g;

/** `grep -q PATTERN`; where a match is bad, the whole pipeline is turned round: `!` stands before its first command only. */
function spoilGrep(text: string, match: RegExpExecArray): Splice {
  const [whole, options = "", word = ""] = match;
  const line = text.slice(text.lastIndexOf("\n", match.index - 1) + 1, match.index);
  const start = [...line.matchAll(PIPELINE_START)].at(-1);
  const at = match.index - line.length + (start ? start.index + start[0].length : 0);
  const not = /^!\s*/.exec(text.slice(at, match.index))?.[0] ?? "";
  const isBad = failsIfTrue(text, match.index + whole.length) !== (not !== "");
  if (isBad) return { start: at, end: at + not.length, replacement: not === "" ? "! " : "" };
  return /-\w*v/.test(options) ? { start: at, end: at, replacement: "" } : changeWord(match, word, true);
}

function replaced(match: RegExpExecArray, part: string, replacement: string): Splice {
  const start = match.index + match[0].indexOf(part);
  return { start, end: start + part.length, replacement };
}
