import type { Splice } from "../splice.ts";
import { nextLetter } from "./change-text.ts";
import type { Expectation, TestFile } from "./expectation.ts";

/** The patterns look ahead a bounded way from each place. */
const MAX_LENGTH = 128 * 1024;
const WORD = String.raw`"(?:[^"\\]|\\.){0,300}"|'[^']{0,300}'|[^\s\]"'();|&]+`;
/** Words that may be quoted in parts: `*"done"*`. */
const WORDS = `(?:${WORD})+`;
/** `[ … = … ]`, `[[ … == … ]]`, `test … = …`; what stands on the left may hold anything. */
const COMPARED = new RegExp(
  String.raw`(?:^|[\s;|&(!])(?:\[\[?|test)\s[^\n]{0,200}?\s(==?|!=|=~|-eq|-ne|-gt|-ge|-lt|-le)\s+(${WORDS})`,
  "g",
);
const UNARY = /((?:^|[\s;|&(])(?:\[\[?|test)\s+)(!\s+)?(-[efdsnzxrwhL])\s/g;
const GREP = new RegExp(String.raw`(!\s*)?\b[efz]?grep\s+((?:-[A-Za-z-]+\s+)*)(${WORD})`, "g");
const ECHOED = new RegExp(String.raw`<\(\s*(?:echo|printf)\s+(?:-[a-z]+\s+)?(${WORD})`, "g");
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
const FAILS = /\b(exit\s+("?\$|[1-9])|return\s+[1-9]|fail\w*|false)\b|\+\+|\+=|\+ ?1\)/;

/** What a shell script expects: comparisons, grep, diff with what is echoed, Bats. */
export function findShellExpectations({ text }: TestFile): Expectation[] {
  if (text.length > MAX_LENGTH) return [];
  const splices = [
    ...matches(text, COMPARED).map((match) => spoilComparison(text, match)),
    ...matches(text, UNARY).map(spoilUnary),
    ...matches(text, GREP).map((match) => spoilGrep(text, match)),
    ...[...matches(text, ECHOED), ...matches(text, BATS)].map((match) => changeWord(match, match.at(-1) ?? "", false)),
    ...matches(text, /\bassert_(success|failure)\b/g).map(
      (match): Splice => replaced(match, match[0], match[1] === "success" ? "assert_failure" : "assert_success"),
    ),
  ];
  return splices
    .filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
    .map((splice) => ({ test: null, isReached: true, splices: [splice] }));
}

function matches(text: string, pattern: RegExp): RegExpExecArray[] {
  return [...text.matchAll(pattern)].filter(({ index }) => !isComment(text, index));
}

function isComment(text: string, at: number): boolean {
  return /^\s*#/.test(text.slice(text.lastIndexOf("\n", Math.max(0, at - 1)) + 1, at + 1));
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
  return flipOperator(match, operator, word);
}

function flipOperator(match: RegExpExecArray, operator: string, word: string): Splice {
  const at = match.index + match[0].lastIndexOf(operator, match[0].length - word.length - 1);
  return { start: at, end: at + operator.length, replacement: FLIPPED[operator] ?? operator };
}

function spoilUnary(match: RegExpExecArray): Splice {
  const [whole, before = "", not, operator = ""] = match;
  const start = match.index + before.length;
  const end = match.index + whole.length - 1;
  return { start, end, replacement: not ? operator : (FLIPPED[operator] ?? `! ${operator}`) };
}

/** `grep -q PATTERN`; one that must not match loses its `!`. */
function spoilGrep(text: string, match: RegExpExecArray): Splice {
  const [whole, not, options = "", word = ""] = match;
  const isBad = failsIfTrue(text, match.index + whole.length);
  if (not && !isBad) return replaced(match, not, "");
  if ((!not && isBad) || /-\w*v/.test(options)) {
    return { start: match.index, end: match.index, replacement: isBad && !not ? "! " : "" };
  }
  return changeWord(match, word, true);
}

/** Whether a condition that ends here leads to a failure: by `&&`, or as that of an `if` whose first branch fails. */
function failsIfTrue(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1);
  const rest = text.slice(at);
  if (/^\s*(el)?if\s/.test(line)) {
    const branch = rest.match(/\bthen\b([\s\S]*?)\b(elif|else|fi)\b/)?.[1] ?? "";
    return FAILS.test(branch);
  }
  const next = rest.match(/^[^\n|]*?&&([^\n]*)/)?.[1] ?? "";
  return FAILS.test(next.split("||")[0] ?? "");
}

/** The last group of a match is its last word, and ends where the match ends, but for white space. */
function changeWord(match: RegExpExecArray, word: string, far: boolean): Splice {
  const start = match.index + match[0].lastIndexOf(word);
  return { start, end: start + word.length, replacement: changedWord(word, far) };
}

function changedWord(word: string, far: boolean): string {
  const inner = word.replace(/[*"']+$/, "");
  const tail = word.slice(inner.length);
  if (far) return `${inner}${inner.includes("$") ? ".." : ""}qzj${tail}`;
  // A letter after a variable would belong to its name.
  if (inner.includes("$") || inner.includes("\\")) return `${inner}.${tail}`;
  const last = inner.slice(-1);
  return /[A-Za-z0-9]/.test(last) ? `${inner.slice(0, -1)}${nextLetter(last)}${tail}` : `${inner}s${tail}`;
}

function replaced(match: RegExpExecArray, part: string, replacement: string): Splice {
  const start = match.index + match[0].indexOf(part);
  return { start, end: start + part.length, replacement };
}
