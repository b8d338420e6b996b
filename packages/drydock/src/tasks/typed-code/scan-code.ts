export type CodeLanguage = "python" | "node";

export interface CodeToken {
  kind: "name" | "number" | "string" | "operator";
  text: string;
  line: number;
}

export interface CodeScan {
  tokens: CodeToken[];
  /** How many brackets are still open. */
  open: number;
  /** A string or comment that goes over several lines has no end yet. */
  isTextOpen: boolean;
}

interface Shape {
  lineComment: RegExp;
  /** Strings over several lines: what they begin and end with. */
  long: readonly (readonly [string, string])[];
}

const SHAPES: Record<CodeLanguage, Shape> = {
  python: {
    lineComment: /#.*/y,
    long: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
  },
  node: {
    lineComment: /\/\/.*/y,
    long: [
      ["`", "`"],
      ["/*", "*/"],
    ],
  },
};

const SPACE = /\s+/y;
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const PREFIX = /^(?:[rbfut]|[rbft]{2})$/i;

/** The words of code, as far as they tell whether it is code at all and whether it has ended. It is never more than read. */
export function scanCode(text: string, language: CodeLanguage): CodeScan {
  const { lineComment, long } = SHAPES[language];
  const tokens: CodeToken[] = [];
  let open = 0;
  let at = 0;
  let line = 1;
  const advance = (to: number) => {
    line += text.slice(at, to).split("\n").length - 1;
    at = to;
  };
  const add = (kind: CodeToken["kind"], word: string) => tokens.push({ kind, text: word, line });
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) advance(at + found.length);
    return found;
  };
  while (at < text.length) {
    if (take(SPACE) !== null || take(lineComment) !== null) continue;
    const fence = long.find(([start]) => text.startsWith(start, at));
    if (fence) {
      const end = findEnd(text, at + fence[0].length, fence[1]);
      if (end < 0) return { tokens, open, isTextOpen: true };
      if (fence[0] !== "/*") add("string", text.slice(at, end));
      advance(end);
      continue;
    }
    const character = text[at] ?? "";
    if (character === '"' || character === "'") {
      // Without an end on its line it is no string: an apostrophe, or a mistake that the interpreter names best.
      const end = findEnd(text, at + 1, character);
      const isWhole = end >= 0 && !text.slice(at, end).includes("\n");
      if (isWhole && PREFIX.test(tokens.at(-1)?.text ?? "") && /\S/.test(text[at - 1] ?? "")) tokens.pop();
      add(isWhole ? "string" : "operator", isWhole ? text.slice(at, end) : character);
      at = isWhole ? end : at + 1;
      continue;
    }
    const name = take(NAME);
    const number = name === null ? take(NUMBER) : null;
    if (name !== null) add("name", name);
    else if (number !== null) add("number", number);
    else {
      if ("([{".includes(character)) open += 1;
      if (")]}".includes(character)) open -= 1;
      add("operator", character);
      at += 1;
    }
  }
  return { tokens, open, isTextOpen: false };
}

/** Where the text after the closing mark begins; -1 without one. A backslash takes the next character along. */
function findEnd(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(mark, at)) return at + mark.length;
  }
  return -1;
}
