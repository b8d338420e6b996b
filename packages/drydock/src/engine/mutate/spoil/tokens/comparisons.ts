import type { Splice } from "../../../source/splice.ts";
import { changeLiteral, isLiteral } from "./change-literal.ts";
import { depthOf, type Token } from "./read-tokens.ts";
import type { Syntax } from "./syntax.ts";

const FLIPPED: Record<string, string> = {
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "~=": "==",
  "=~": "!~",
  "!~": "=~",
  eq: "ne",
  ne: "eq",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};
const EQUAL = new Set(["==", "===", "eq"]);
const UNEQUAL = new Set(["!=", "!==", "ne", "~="]);
/** What may stand behind a literal that is compared as a whole. */
const BOUNDARY = /^(?:[),;:?{}\]]|&&|\|\||and|or|then|do|xor)$/;
const BEFORE = /^(?:[(,;=?:{[!]|&&|\|\||and|or|not|return|if|unless|elsif|elif|=>|assert)$/;

export interface Comparison {
  operator: Token;
  /** How many brackets it lies in. */
  depth: number;
  /** The literal on one of its sides. */
  literal: Token | null;
}

export interface Spoiler {
  syntax: Syntax;
  salt: string;
}

/**
 * An expectation made wrong. `value`: it said what a value must be. `truth`: it said that something must hold. `indirect`: it
 * compared two things that are named elsewhere, as a function does that many tests call. `weak`: it may say nothing of the
 * work.
 */
export interface SpoiltExpectation {
  splices: Splice[];
  strength: "value" | "truth" | "indirect" | "weak";
}

/** Comparisons of the outermost brackets that hold any. */
export function findComparisons(tokens: readonly Token[], syntax: Syntax): Comparison[] {
  const found: Comparison[] = [];
  let depth = 0;
  for (const [at, operator] of tokens.entries()) {
    depth += depthOf(operator);
    const [left, right] = [tokens[at - 1], tokens[at + 1]];
    if (!left || !right || !isOperator(operator, left, right, syntax)) continue;
    found.push({ operator, depth, literal: literalAfter(tokens, at) ?? literalBefore(tokens, at) });
  }
  const outermost = Math.min(...found.map((each) => each.depth));
  return found.filter((each) => each.depth === outermost);
}

function isOperator({ kind, text, start, end }: Token, left: Token, right: Token, syntax: Syntax): boolean {
  if (!Object.hasOwn(FLIPPED, text)) return false;
  if (kind === "word") return syntax.isLoose === true && left.text !== "(" && right.text !== "(" && left.text !== ".";
  // Without white space it may open a list of types.
  return !/^[<>]$/.test(text) || (left.end < start && right.start > end);
}

function literalAfter(tokens: readonly Token[], at: number): Token | null {
  const sign = tokens[at + 1]?.text === "-" ? 1 : 0;
  const [token, next] = [tokens[at + 1 + sign], tokens[at + 2 + sign]];
  const isWhole = token && isLiteral(token) && (!next || next.isFirst || BOUNDARY.test(next.text));
  return isWhole ? token : null;
}

function literalBefore(tokens: readonly Token[], at: number): Token | null {
  const token = tokens[at - 1];
  const sign = tokens[at - 2]?.text === "-" ? 1 : 0;
  const before = tokens[at - 2 - sign];
  return token && isLiteral(token) && (!before || BEFORE.test(before.text)) ? token : null;
}

/** Makes comparisons come out the other way, which must hold so far (`wanted`) or must not. */
export function spoilAll(compared: readonly Comparison[], wanted: boolean, spoiler: Spoiler): SpoiltExpectation {
  const splices = compared.map((each) => spoilComparison(each, wanted, spoiler));
  return { splices, strength: compared.some(({ literal }) => literal) ? "value" : "indirect" };
}

function spoilComparison({ operator, literal }: Comparison, wanted: boolean, { syntax, salt }: Spoiler): Splice {
  const isChanged = (wanted ? EQUAL : UNEQUAL).has(operator.text);
  return literal && isChanged ? changeLiteral(literal, syntax, salt) : flip(operator);
}

export function isEquality({ operator: { text } }: Comparison): boolean {
  return EQUAL.has(text) || UNEQUAL.has(text);
}

function flip({ text, start, end }: Token): Splice {
  return { start, end, replacement: FLIPPED[text] ?? text };
}

const TEXT_COMPARED =
  /^(?:strcmp|strcasecmp|wcscmp|str_?eq\w*|equals|equalsIgnoreCase|eql\?|contains|Contains|HasPrefix|starts_with|startsWith|ends_with|endsWith|strstr)$/;

/** The literal text that something is compared with by a function. */
export function findComparedText(tokens: readonly Token[]): Token | null {
  const at = tokens.findIndex(({ text }, index) => TEXT_COMPARED.test(text) && tokens[index + 1]?.text === "(");
  if (at < 0) return null;
  return tokens.slice(at).findLast(({ kind, text }) => kind === "string" && text.length > 1) ?? null;
}
