export type CodeLanguage = "python" | "node" | "bash";
export interface CodePiece {
  kind: "plain" | "comment" | "string" | "number" | "keyword";
  text: string;
}

const KEYWORDS: Readonly<Record<CodeLanguage, string>> = {
  python:
    "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
  node: "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield",
  bash: "case do done elif else esac export fi for function if in local return select set then until while",
};
const HASH = String.raw`#[^\n]*`;
const COMMENTS: Readonly<Record<CodeLanguage, string>> = {
  python: HASH,
  node: String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  bash: HASH,
};
const QUOTED = String.raw`"(?:\\[\s\S]|[^"\\\n])*(?:"|$)|'(?:\\[\s\S]|[^'\\\n])*(?:'|$)`;
const STRINGS: Readonly<Record<CodeLanguage, string>> = {
  python: String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|${QUOTED}`,
  node: String.raw`\x60(?:\\[\s\S]|[^\x60\\])*(?:\x60|$)|${QUOTED}`,
  bash: QUOTED,
};
/** Longer texts are shown as they are. */
const MOST_CHARS = 50_000;

/** The words of a program by what they are, as far as that can be said without reading all of the language. */
export function highlightCode(code: string, language: CodeLanguage): CodePiece[] {
  if (code.length > MOST_CHARS) return [{ kind: "plain", text: code }];
  const words = KEYWORDS[language].replaceAll(" ", "|");
  const pattern = new RegExp(
    `(${COMMENTS[language]})|(${STRINGS[language]})|\\b(0[xX][\\da-fA-F]+|\\d[\\d_]*(?:\\.\\d+)?)\\b|\\b(${words})\\b`,
    "g",
  );
  const kinds = ["comment", "string", "number", "keyword"] as const;
  const pieces: CodePiece[] = [];
  let from = 0;
  for (const match of code.matchAll(pattern)) {
    if (match.index > from) pieces.push({ kind: "plain", text: code.slice(from, match.index) });
    const kind = kinds.find((_, at) => match[at + 1] !== undefined) ?? "plain";
    pieces.push({ kind, text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < code.length) pieces.push({ kind: "plain", text: code.slice(from) });
  return pieces;
}
