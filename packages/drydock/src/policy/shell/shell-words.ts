import type { CommandArgument, DoubleQuotedChild, Word, WordPart } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";

function isLiteralPart(part: WordPart | DoubleQuotedChild): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return true;
    case "DoubleQuoted":
      return part.parts.every(isLiteralPart);
    default:
      return false;
  }
}

/**
 * What a word will be when it runs, or null where that depends on anything but the script's text: expansions,
 * globs, braces, a leading tilde. Translated strings (`$"…"`) count as unknown, because a message catalogue decides.
 */
export function readWord(word: Word): CommandWord {
  if (/^~/.test(word.text)) return null;
  if (!(word.parts ?? []).every(isLiteralPart)) return null;
  return word.value;
}

export function readArgument(argument: CommandArgument): CommandWord {
  if (argument.type === "Word") return readWord(argument);
  if (argument.index !== undefined || argument.value.type !== "Word") return null;
  const value = readWord(argument.value);
  return value === null ? null : `${argument.name}${argument.append ? "+" : ""}=${value}`;
}
