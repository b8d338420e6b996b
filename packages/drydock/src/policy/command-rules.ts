import { matchWildcard } from "./wildcard.ts";

/** A word of a command as a shell script shows it; `null` is one that only running it would tell. */
export type CommandWord = string | null;

interface CommandPattern {
  words: string[];
  /** Any further arguments may follow. */
  open: boolean;
}

function parsePattern(text: string): CommandPattern {
  const words = text.trim().split(/\s+/);
  if (words.at(-1) === "*") return { words: words.slice(0, -1), open: true };
  return { words, open: words.length === 1 };
}

function matchWord(pattern: string, word: string, index: number): boolean {
  // In the name of the program a star stays within a path segment: `py*` is no way to run `py/../../bin/sh`.
  return matchWildcard(pattern, word, index === 0 ? "/" : "");
}

export function describeCommandPatternProblem(text: string): string | null {
  if (text.trim() === "") return "is empty";
  for (const char of text) if (char < " " || char === "\x7f") return "holds a control character";
  return null;
}

/**
 * Tells whether a command with its arguments is on the list. The name is compared as it is given: `/bin/ls` and
 * `./ls` are other names than `ls`. The one pattern `*` stands for every command.
 */
export function matchCommand(allow: readonly string[], argv: readonly CommandWord[]): boolean {
  const name = argv[0];
  if (name === undefined || name === null || name === "") return false;
  if (argv.some((word) => word?.includes("\0"))) return false;
  return allow.some((text) => {
    const pattern = parsePattern(text);
    if (pattern.words.length > argv.length) return false;
    if (!pattern.open && (pattern.words.length !== argv.length || argv.includes(null))) return false;
    return pattern.words.every((word, index) => {
      const given = argv[index];
      return given !== undefined && given !== null && matchWord(word, given, index);
    });
  });
}

/** Whatever `asked` matches, `ceiling` matches too. */
export function coversCommand(ceiling: string, asked: string): boolean {
  const outer = parsePattern(ceiling);
  const inner = parsePattern(asked);
  if (outer.words.length > inner.words.length) return false;
  if (!outer.open && (inner.open || outer.words.length !== inner.words.length)) return false;
  return outer.words.every((word, index) => matchWord(word, inner.words[index] ?? "", index));
}

/** Some pattern of the list starts with this name, whatever arguments it wants. */
export function namesCommand(allow: readonly string[], name: string): boolean {
  return allow.some((text) => matchWord(parsePattern(text).words[0] ?? "*", name, 0));
}
