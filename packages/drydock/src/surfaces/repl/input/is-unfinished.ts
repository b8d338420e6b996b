import { looksLikeCode } from "./looks-like-code.ts";
import { type CodeLanguage, scanCode } from "./scan-code.ts";

/** What the person has typed is data of Drydock's own, or code of the session's language. */
const OWN = /^\s*(?:(?:const|let|var)\s+[\w$]+\s*=\s*)?agent\s*\(/;
const EXECUTE = /^\s*\/?execute\s+/;

/**
 * Whether more lines are to come: a bracket or a long string is open, a block has been begun, a line ends with a
 * backslash. A blank line ends whatever is no long string, so that nobody gets caught in a bracket.
 */
export function isUnfinished(text: string, language: CodeLanguage, variables: Iterable<string> = []): boolean {
  const isOwn = OWN.test(text);
  const code = text.replace(EXECUTE, "");
  if (!isOwn && /^\s*\//.test(code)) return false;
  const lines = code.split("\n");
  const { open, isTextOpen } = scanCode(code, isOwn ? "node" : language);
  if (!isOwn && !isTextOpen && !looksLikeCode(code, language, variables)) return false;
  if (isTextOpen) return true;
  if (lines.length > 1 && lines.at(-1)?.trim() === "") return false;
  if (open > 0 || (lines.at(-1) ?? "").endsWith("\\")) return true;
  if (isOwn || language === "node") return false;
  return lines.some((line) => /^\s*@/.test(line) || endsWithColon(line));
}

function endsWithColon(line: string): boolean {
  return scanCode(line, "python").tokens.at(-1)?.text === ":";
}
