import { type CodeLanguage, type CodeToken, scanCode } from "./scan-code.ts";

interface Words {
  /** May stand beside a name. */
  keywords: ReadonlySet<string>;
  /** Begin a statement that needs nothing else of what code is made of. */
  statements: ReadonlySet<string>;
  /** Begin a statement with a colon. */
  blocks: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const WORDS: Record<CodeLanguage, Words> = {
  python: {
    keywords: words(
      "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
    ),
    statements: words("import from del pass raise return assert global nonlocal"),
    blocks: words("for while if def class with try else match async lambda"),
  },
  node: {
    keywords: words(
      "as async await break case catch class const continue default delete do else export extends finally for from function get if import in instanceof let new of return set static switch throw try typeof var void while yield",
    ),
    statements: words("import let const var throw new typeof void delete debugger"),
    blocks: words(""),
  },
};

const CODE_MARKS = "()[]{}=+*/%<>|&^~@\\";

/**
 * Whether text is code or words. In code two names never stand side by side, unless one of them is a keyword; in
 * sentences they nearly always do; in Python neither does a name follow a bracket. A single word is code only if the
 * session knows it. A command forces the other reading.
 */
export function looksLikeCode(text: string, language: CodeLanguage, variables: Iterable<string> = []): boolean {
  const trimmed = text.trim();
  const { tokens, open, isTextOpen } = scanCode(trimmed, language);
  const [first] = tokens;
  if (first === undefined) return trimmed !== "" || isTextOpen;
  const { keywords, statements, blocks } = WORDS[language];
  const isWord = (token: CodeToken | undefined) =>
    token !== undefined && token.kind !== "operator" && !keywords.has(token.text);
  const isSentence = tokens.some((token, index) => {
    const next = tokens[index + 1];
    // Texts side by side are one.
    const areTexts = token.kind === "string" && next?.kind === "string";
    const isLeft = isWord(token) || (language === "python" && ")]}".includes(token.text));
    return isLeft && isWord(next) && token.line === next?.line && !areTexts;
  });
  if (isSentence || /[?!]$/.test(trimmed) || /\s[:;]-?[()]$/.test(trimmed)) return false;
  if (open < 0 || (isApostrophe(trimmed) && tokens.some(({ text: mark }) => mark === "'"))) return false;
  if (statements.has(first.text)) return true;
  if (blocks.has(first.text) && tokens.some(({ text: mark }) => mark === ":")) return true;
  if (tokens.some(({ kind, text: mark }) => kind === "operator" && CODE_MARKS.includes(mark))) return true;
  if (tokens.every(({ kind }) => kind !== "name") || /^[\w$]+(?:\.[\w$]+)+;?$/.test(trimmed)) return true;
  const known = new Set(variables);
  return tokens.every(({ kind, text: name }) => kind !== "name" || known.has(name) || keywords.has(name));
}

function isApostrophe(text: string): boolean {
  return /\p{L}'\p{L}/u.test(text);
}
