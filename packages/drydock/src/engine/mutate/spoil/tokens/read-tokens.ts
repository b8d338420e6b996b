import type { Syntax } from "./syntax.ts";

export interface Token {
  kind: "word" | "number" | "string" | "character" | "mark";
  text: string;
  start: number;
  end: number;
  /** The first of its line. */
  isFirst: boolean;
}

const MAX_LENGTH = 512 * 1024;
const SPACE = /[ \t\r\f\v]+/y;
const WORD = /[$@%]?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const NUMBER = /0[xXbBoO][\da-fA-F_]+[A-Za-z\d]*|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?[A-Za-z_]*\d*/y;
const MARK = /===|!==|~=|<=>|\.\.\.|==|!=|<=|>=|=>|->|::|&&|\|\||=~|!~|\+\+|--|\+=|-=|:=|<<|>>|\.\.|[^\s\w]/y;
/** A string does not go on over the end of its line: what looks so is a lone quotation mark as a rule. */
const DOUBLE = /"(?:[^"\\\n]|\\.)*"/y;
const SINGLE = /'(?:[^'\\\n]|\\.)*'/y;
const CHARACTER = /'(?:[^'\\\n]|\\(?:x[\da-fA-F]+|u\{?[\da-fA-F]+\}?|[0-7]{1,3}|.))'/y;
/** Bounded: one that is never closed must not be looked for up to the end from each place. */
const RAW =
  /r(#*)"[\s\S]{0,9999}?"\1|`[^`]{0,9999}`|@"(?:[^"]|""){0,9999}"|"""[\s\S]{0,9999}?"""|(?:u8|u|U|L)?R"(\w*)\([\s\S]{0,9999}?\)\2"/y;
const IGNORED_REGION = /#[ \t]*if[ \t]+0\b[\s\S]*?^[ \t]*#[ \t]*(?:endif|else|elif)\b/my;
const PREPROCESSOR = /#(?:\\\r?\n|[^\n])*/y;
const DOCUMENTATION = /=[a-z]\w*[\s\S]*?(?:^=cut\b[^\n]*|^=end\b[^\n]*|$(?![\s\S]))/my;

/** The tokens of a program, without comments and without what a preprocessor reads. */
export function readTokens(text: string, syntax: Syntax): Token[] {
  const tokens: Token[] = [];
  if (text.length > MAX_LENGTH) return tokens;
  let isFirst = true;
  for (let at = 0; at < text.length; ) {
    if (text[at] === "\n") {
      isFirst = true;
      at += 1;
      continue;
    }
    const skipped = skip(text, at, syntax, isFirst);
    if (skipped === null) break;
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const { kind, end } = readToken(text, at, syntax);
    tokens.push({ kind, text: text.slice(at, end), start: at, end, isFirst });
    isFirst = false;
    at = end;
  }
  return tokens;
}

/** Where white space and comments end that begin here; null: the program ends here. */
function skip(text: string, at: number, syntax: Syntax, isFirst: boolean): number | null {
  const space = endOf(SPACE, text, at);
  if (space !== null) return space;
  if (syntax.block && text.startsWith(syntax.block[0], at)) {
    const close = text.indexOf(syntax.block[1], at + syntax.block[0].length);
    return close < 0 ? null : close + syntax.block[1].length;
  }
  if (syntax.hasPreprocessor && isFirst && text[at] === "#") {
    return endOf(IGNORED_REGION, text, at) ?? endOf(PREPROCESSOR, text, at) ?? at + 1;
  }
  const isLineStart = at === 0 || text[at - 1] === "\n";
  if (syntax.isLoose && isLineStart) {
    if (/^__(END|DATA)__/.test(text.slice(at, at + 9))) return null;
    const documentation = endOf(DOCUMENTATION, text, at);
    if (documentation !== null) return documentation;
  }
  if (!syntax.comments.some((each) => text.startsWith(each, at))) return at;
  // `$#list` is no comment, nor is `#[test]` of PHP or `s#a#b#`.
  if (text[at] === "#" && (/[$@{\w]/.test(text[at - 1] ?? "") || text[at + 1] === "[")) return at;
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function readToken(text: string, at: number, { hasCharacters }: Syntax): Pick<Token, "kind" | "end"> {
  const raw = endOf(RAW, text, at);
  if (raw !== null) return { kind: "string", end: raw };
  if (text[at] === '"') return { kind: "string", end: endOf(DOUBLE, text, at) ?? at + 1 };
  if (text[at] === "'") {
    // What is left is a lifetime of Rust, or an apostrophe.
    const end = endOf(hasCharacters ? CHARACTER : SINGLE, text, at);
    return end === null ? { kind: "mark", end: at + 1 } : { kind: hasCharacters ? "character" : "string", end };
  }
  const word = endOf(WORD, text, at);
  if (word !== null) return { kind: "word", end: word };
  const number = endOf(NUMBER, text, at);
  if (number !== null) return { kind: "number", end: number };
  return { kind: "mark", end: endOf(MARK, text, at) ?? at + 1 };
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);

/** How deep a token leads inside or outside. */
export function depthOf({ kind, text }: Token): -1 | 0 | 1 {
  if (kind !== "mark") return 0;
  return OPENING.has(text) ? 1 : CLOSING.has(text) ? -1 : 0;
}

/** The place of the mark that closes the one at `open`; the end of the list where none does. */
export function closeOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at];
    if (token) depth += depthOf(token);
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** Splits at the commas that lie in no brackets of their own. */
export function splitArguments(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthOf(token);
    if (depth === 0 && token.kind === "mark" && token.text === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}
