import type { Splice } from "../../../source/splice.ts";
import { nextLetter } from "../change-text.ts";

export const WORD = String.raw`"(?:[^"\\]|\\.){0,300}"|'[^']{0,300}'|\$\((?:[^()\n]|\([^()\n]*\)){0,200}\)|(?:[^\s\]"'();|&$]|\$(?!\())+`;

const FAILS = /\b(exit\s+("?\$|[1-9])|return\s+[1-9]|fail\w*|false|die)\b|\+\+|\+=|\+ ?1\)/;

/** Whether commands end the script with a failure, or count one. */
export function isFailure(commands: string): boolean {
  return FAILS.test(commands);
}

export function matches(text: string, pattern: RegExp): RegExpExecArray[] {
  // A match may begin with the end of the line before.
  return [...text.matchAll(pattern)].filter((match) => !isComment(text, match.index + match[0].search(/\S/)));
}

function isComment(text: string, at: number): boolean {
  return /^\s*#/.test(text.slice(text.lastIndexOf("\n", Math.max(0, at - 1)) + 1, at + 1));
}

/** Whether a condition that ends here leads to a failure: by `&&`, or as that of an `if` whose first branch fails. */
export function failsIfTrue(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1);
  const rest = text.slice(at);
  if (/^\s*(el)?if\s/.test(line)) {
    const branch = rest.match(/\bthen\b([\s\S]*?)\b(elif|else|fi)\b/)?.[1] ?? "";
    return isFailure(branch);
  }
  const next = rest.match(/^[^\n|]*?&&([^\n]*)/)?.[1] ?? "";
  return isFailure(next.split("||")[0] ?? "");
}

/** The last group of a match is its last word, and ends where the match ends, but for white space. */
export function changeWord(match: RegExpExecArray, word: string, far: boolean): Splice {
  const start = match.index + match[0].lastIndexOf(word);
  return { start, end: start + word.length, replacement: changedWord(word, far) };
}

export function changedWord(word: string, far: boolean): string {
  const inner = word.replace(/[*"']+$/, "");
  const tail = word.slice(inner.length);
  if (far) return `${inner}${inner.includes("$") ? ".." : ""}qzj${tail}`;
  // A letter after a variable would belong to its name.
  if (inner.includes("$") || inner.includes("\\")) return `${inner}.${tail}`;
  const last = inner.slice(-1);
  return /[A-Za-z0-9]/.test(last) ? `${inner.slice(0, -1)}${nextLetter(last)}${tail}` : `${inner}s${tail}`;
}

/**
 * The same word, made by the shell when the script runs: its text does not hold it any more. What stands in quotes around a
 * whole script must not end there, so that a word with spaces keeps its own. Null where that can't be done.
 */
export function sameWord(word: string): string | null {
  const [, quote = "", inner = word] = /^(["'])([^"']*)\1$/.exec(word) ?? [];
  if (!/^[\w.,:/ +-]+$/.test(inner) || /^-/.test(inner) || inner.trim() !== inner) return null;
  const bytes = [...Buffer.from(inner)].map((byte) => `\\\\${byte.toString(8).padStart(3, "0")}`);
  const made = `$(printf ${bytes.join("")})`;
  if (!inner.includes(" ")) return made;
  return quote === '"' ? `"${made}"` : null;
}
