import type { Splice } from "../../../source/splice.ts";
import { changeQuoted, nextLetter } from "../change-text.ts";
import type { Token } from "./read-tokens.ts";
import type { Syntax } from "./syntax.ts";

const OPPOSITE: Record<string, string> = {
  true: "false",
  false: "true",
  True: "False",
  False: "True",
  TRUE: "FALSE",
  FALSE: "TRUE",
  YES: "NO",
  NO: "YES",
};
/** One more than the largest value of a type would not compile. */
const LARGEST = new Set(["127", "255", "32767", "65535", "2147483647", "4294967295", "9223372036854775807"]);

export function isLiteral({ kind, text }: Token): boolean {
  if (kind === "string") return text.length > 1;
  return kind === "number" || kind === "character" || (kind === "word" && Object.hasOwn(OPPOSITE, text));
}

/** Another value of the same type. */
export function changeLiteral(token: Token, syntax: Syntax, salt: string): Splice {
  const { start, end } = token;
  return { start, end, replacement: changedText(token, syntax, salt) };
}

function changedText({ kind, text, start }: Token, syntax: Syntax, salt: string): string {
  if (kind === "word") return OPPOSITE[text] ?? text;
  if (kind === "number") return changedNumber(text);
  if (kind === "character") return /^'[A-Za-z0-9]'$/.test(text) ? `'${nextLetter(text.charAt(1))}'` : "'s'";
  const close = /(?:"""|\)\w*"|"#+|"|'|`)$/.exec(text)?.[0] ?? '"';
  const body = text.slice(0, -close.length);
  if (syntax.interpolates && /[$#@{\\]/.test(body)) return `${body}.${close}`;
  return close.length === 1 ? changeQuoted(text, false, start, salt) : `${body}s${close}`;
}

function changedNumber(text: string): string {
  const based = /^(0[xXbBoO][\da-fA-F_]*)([\da-fA-F])(.*)$/.exec(text);
  if (based) {
    const [, before = "", last = "", after = ""] = based;
    if (/^0[bB]/.test(text)) return `${before}${last === "0" ? "1" : "0"}${after}`;
    return `${before}${last === "7" ? "6" : nextLetter(last)}${after}`;
  }
  const [, digits = "0", rest = ""] = /^([\d_]+)(.*)$/.exec(text) ?? [];
  if (/^0\d/.test(digits)) return `${digits.slice(0, -1)}${digits.endsWith("0") ? "1" : "0"}${rest}`;
  const value = digits.replaceAll("_", "");
  return `${BigInt(value) + (LARGEST.has(value) ? -1n : 1n)}${rest}`;
}
