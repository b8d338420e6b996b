import { endOfStatement } from "./assertions.ts";
import { changeLiteral } from "./change-literal.ts";
import {
  findComparedText,
  findComparisons,
  isEquality,
  type Spoiler,
  type SpoiltExpectation,
  spoilAll,
} from "./comparisons.ts";
import { closeOf, depthOf, type Token } from "./read-tokens.ts";

const FAILURE =
  /^(?:_?exit|_Exit|abort|die|panic|throw|raise|croak|confess|\w*fail\w*|Fatal\w*|Errorf?|errx?|fatal|bail_?out|XCTFail|unreachable|error)$/i;
const COUNTED = /fail|err|bad|wrong|miss/i;
/** Whether the program was started rightly is no result of the work. */
const SURROUNDINGS = /^(?:argc|argv|errno|NULL|nil|null|nullptr|None|err|ARGV|ferror|EOF)$/;

/** An `if` that leads to a failure, made to lead there; null: there is none at this place. */
export function spoilCondition(tokens: readonly Token[], at: number, spoiler: Spoiler): SpoiltExpectation | null {
  const word = tokens[at]?.text ?? "";
  if (!/^(?:if|elif|elsif|elseif|unless)$/.test(word) || tokens[at]?.kind !== "word") return null;
  const isEndless = spoiler.syntax.not === "not " || spoiler.syntax.isLoose === true;
  const range = readCondition(tokens, at + 1, isEndless);
  if (!range) return null;
  const { condition, after } = range;
  const then = readBody(tokens, after, isEndless);
  const isElse = tokens[then.after]?.text === "else";
  const otherwise = isElse ? readBody(tokens, then.after + 1, isEndless).body : [];
  const failsIfTrue = fails(then.body);
  if (!failsIfTrue && !fails(otherwise)) return null;
  return spoil(condition, failsIfTrue === (word === "unless"), spoiler);
}

/** Turns a condition round that must hold so far, or must not. */
function spoil(condition: readonly Token[], wanted: boolean, spoiler: Spoiler): SpoiltExpectation | null {
  const compared = findComparisons(condition, spoiler.syntax);
  const isOfWork = !condition.some(({ text }) => SURROUNDINGS.test(text));
  if (compared.length > 0) {
    const spoilt = spoilAll(compared, wanted, spoiler);
    return isOfWork && compared.every(isEquality) ? spoilt : { ...spoilt, strength: "weak" };
  }
  const text = findComparedText(condition);
  return text
    ? { splices: [changeLiteral(text, spoiler.syntax, spoiler.salt)], strength: isOfWork ? "value" : "weak" }
    : null;
}

interface Read {
  condition: Token[];
  after: number;
}

function readCondition(tokens: readonly Token[], from: number, isEndless: boolean): Read | null {
  const close = tokens[from]?.text === "(" ? closeOf(tokens, from) : -1;
  const next = tokens[close + 1];
  if (close > 0 && (!isEndless || next?.text === "{" || next?.isFirst || next?.text === "then")) {
    return { condition: tokens.slice(from + 1, close), after: close + 1 };
  }
  let start = from;
  let depth = 0;
  for (let at = from; at < Math.min(tokens.length, from + 200); at++) {
    const token = tokens[at];
    if (!token) break;
    const isOver = token.text === "{" || token.text === "then" || (isEndless && at > from && token.isFirst);
    if (depth === 0 && isOver) return { condition: tokens.slice(start, at), after: at };
    depth += depthOf(token);
    // Go: `if got := add(2, 3); got != 5 {`.
    if (depth === 0 && token.text === ";") start = at + 1;
  }
  return null;
}

function readBody(tokens: readonly Token[], from: number, isEndless: boolean): { body: Token[]; after: number } {
  if (tokens[from]?.text === "{") {
    const close = closeOf(tokens, from);
    return { body: tokens.slice(from, close), after: close + 1 };
  }
  const isEnd = ({ text }: Token) => (isEndless ? /^(?:end|else|elsif|elseif)$/.test(text) : text === ";");
  let until = from;
  while (until < tokens.length && !isEnd(tokens[until] as Token)) until += 1;
  return { body: tokens.slice(from, until), after: isEndless ? until : until + 1 };
}

function fails(body: readonly Token[]): boolean {
  return body.some(({ kind, text }, at) => {
    const next = body[at + 1]?.text === "(" ? body[at + 2] : body[at + 1];
    if (kind === "word" && /^_?exit$/i.test(text)) return next?.text !== "0" && next?.text !== "EXIT_SUCCESS";
    if (kind === "word" && text === "return") {
      const value = body[at + 1]?.text === "-" ? body[at + 2] : next;
      return /^(?:[1-9]\d*|EXIT_FAILURE|false|FALSE)$/.test(value?.text ?? "");
    }
    if (kind === "mark" && /^(?:\+\+|\+=)$/.test(text)) {
      return COUNTED.test(`${body[at - 1]?.text ?? ""} ${body[at + 1]?.text ?? ""}`);
    }
    return kind === "word" && FAILURE.test(text);
  });
}

/** `die … unless …`, `… or die`, `exit 1 if …`. */
export function spoilGuard(tokens: readonly Token[], at: number, spoiler: Spoiler): SpoiltExpectation | null {
  const token = tokens[at];
  if (!spoiler.syntax.isLoose || token?.kind !== "word" || !fails(tokens.slice(at, at + 4))) return null;
  if (!FAILURE.test(token.text)) return null;
  const before = tokens[at - 1]?.text ?? "";
  if (/^(?:or|\|\||and|&&)$/.test(before)) {
    return spoil(tokens.slice(startOfStatement(tokens, at - 1), at - 1), /^(?:or|\|\|)$/.test(before), spoiler);
  }
  const end = endOfStatement(tokens, at);
  const guard = tokens[end];
  if (guard?.isFirst || (guard?.text !== "if" && guard?.text !== "unless")) return null;
  return spoil(tokens.slice(end + 1, endOfStatement(tokens, end + 1)), guard.text === "unless", spoiler);
}

function startOfStatement(tokens: readonly Token[], before: number): number {
  let depth = 0;
  for (let at = before - 1; at >= 0; at--) {
    const token = tokens[at];
    if (!token) break;
    depth -= depthOf(token);
    if (depth < 0 || (depth === 0 && /^[;{}]$/.test(token.text))) return at + 1;
    if (depth === 0 && token.isFirst) return at;
  }
  return 0;
}

/** What a `main` returns is the status of the program: `return add(2, 3) != 5;`. */
export function spoilStatus(tokens: readonly Token[], spoiler: Spoiler): SpoiltExpectation[] {
  const at = tokens.findIndex(({ text }, index) => text === "main" && tokens[index + 1]?.text === "(");
  const open = at < 0 ? -1 : closeOf(tokens, at + 1) + 1;
  if (tokens[open]?.text !== "{") return [];
  const body = tokens.slice(open, closeOf(tokens, open));
  return body.flatMap(({ text }, index) => {
    if (text !== "return") return [];
    const end = body.findIndex((token, other) => other > index && token.text === ";");
    const compared = findComparisons(body.slice(index + 1, end), spoiler.syntax).filter(isEquality);
    const splices = compared.flatMap((each) =>
      each.literal ? [changeLiteral(each.literal, spoiler.syntax, spoiler.salt)] : [],
    );
    return splices.length > 0
      ? [{ splices, strength: compared.some(({ literal }) => literal?.text !== "0") ? "value" : "weak" }]
      : [];
  });
}
