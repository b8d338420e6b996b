import type { DoubleQuotedChild, Word, WordPart } from "unbash";

/** A name, or a name that is expanded, where digits may take its place if it is not set. */
const NAME = /^\$?([A-Za-z_]\w*)|^\$\{([A-Za-z_]\w*)(?::?[-=+]\d*)?\}/;
/** Numbers of bash's own: how many, how it ended, which process. */
const OWN_NUMBER = /^\$(?:[#?$!]|\{[#?$!]\}|\{#(?:\w+|[@*])(?:\[[@*]\])?\})/;
const NUMBER = /^\d[\w#@]*/;
const OPERATOR = /^[-+*/%<>=!&|^~?:,()[\]"\s]+/;

/** The variables of an arithmetic expression; null where it holds anything but names, numbers and operators. */
export function readExpression(text: string): readonly string[] | null {
  const names: string[] = [];
  let rest = text;
  while (rest !== "") {
    const name = NAME.exec(rest);
    const match = name ?? OWN_NUMBER.exec(rest) ?? NUMBER.exec(rest) ?? OPERATOR.exec(rest);
    if (!match) return null;
    if (name) names.push(name[1] ?? name[2] ?? "");
    rest = rest.slice(match[0].length);
  }
  return names;
}

/** The variables whose values a word takes over, where it is a number if they are; null where it may be any text. */
export function readNumber(word: Word): readonly string[] | null {
  const { parts } = word;
  if (parts === undefined || parts.length === 0) return isDigits(word.value) ? [] : null;
  return readParts(parts);
}

function readParts(parts: readonly (WordPart | DoubleQuotedChild)[]): readonly string[] | null {
  const names: string[] = [];
  for (const part of parts) {
    const found = readPart(part);
    if (found === null) return null;
    names.push(...found);
  }
  return names;
}

function readPart(part: WordPart | DoubleQuotedChild): readonly string[] | null {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return isDigits(part.value) ? [] : null;
    case "DoubleQuoted":
      return readParts(part.parts);
    case "ArithmeticExpansion":
      return [];
    case "SimpleExpansion":
    case "ParameterExpansion":
      // A bare name can't occur here: the text begins with its dollar sign.
      return OWN_NUMBER.exec(part.text)?.[0] === part.text || NAME.exec(part.text)?.[0] === part.text
        ? readExpression(part.text)
        : null;
    case "BraceExpansion":
      return /^\{-?\d+(\.\.-?\d+){1,2}\}$/.test(part.text) ? [] : null;
    default:
      return null;
  }
}

function isDigits(text: string): boolean {
  return /^[-+]?(\d*|0x[\da-f]+)$/i.test(text);
}
