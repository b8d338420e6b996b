import { type CodeLanguage, looksLikeCode, scanCode } from "../../../tasks/index.ts";

/** What the person has typed is data of Drydock's own, or code of the session's language. */
const OWN = /^\s*(?:(?:const|let|var)\s+[\w$]+\s*=\s*)?agent\s*\(/;
const EXECUTE = /^\s*\/?execute\s+/;

/** What is still open: only a blank line ends a block; brackets and texts end with their own marks. */
export type OpenPart = "block" | "bracket" | "text";

/**
 * What keeps the text from being whole, null where it is: a bracket or a long string is open, a block has been begun, a
 * line ends with a backslash. A blank line ends everything but a long string, so that a user is never stuck in a
 * bracket.
 */
export function findOpenPart(text: string, language: CodeLanguage, variables: Iterable<string> = []): OpenPart | null {
  const isOwn = OWN.test(text);
  const code = text.replace(EXECUTE, "");
  if (!isOwn && /^\s*\//.test(code)) return null;
  const lines = code.split("\n");
  const last = lines.at(-1) ?? "";
  const { open, isTextOpen } = scanCode(code, isOwn ? "node" : language);
  if (isTextOpen) return "text";
  if (!isOwn && !looksLikeCode(code, language, variables)) return null;
  if (lines.length > 1 && last.trim() === "") return null;
  if (open > 0 || last.endsWith("\\")) return "bracket";
  if (isOwn || language === "node") return null;
  return lines.some((line) => /^\s*@/.test(line) || endsWithColon(line)) ? "block" : null;
}

/** Whether one more line could be the last. A long text is looked through again only where it might have ended. */
export function mayEnd(part: OpenPart, line: string): boolean {
  if (line.trim() === "") return true;
  return part !== "block" && (part === "bracket" || /["'`*]/.test(line));
}

function endsWithColon(line: string): boolean {
  return scanCode(line, "python").tokens.at(-1)?.text === ":";
}
