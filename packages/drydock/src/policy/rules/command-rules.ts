import { matchWildcard } from "./wildcard.ts";

/** A word of a command as a shell script shows it; `null` is one that only running it would tell. */
export type CommandWord = string | null;

/** Which commands a policy lets through. What is denied stays denied, whatever is allowed. */
export interface CommandRules {
  allow: readonly string[];
  deny: readonly string[];
}

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
 * Tells whether a command with its arguments is on the list. The name is compared as it is written: `/bin/ls` and
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
      const argument = argv[index];
      return argument !== undefined && argument !== null && matchWord(word, argument, index);
    });
  });
}

export function permitsCommand({ allow, deny }: CommandRules, argv: readonly CommandWord[]): boolean {
  return matchCommand(allow, argv) && !deniesCommand(deny, argv);
}

/** Nothing has to be looked at: every command is allowed, and none is denied. */
export function permitsEveryCommand({ allow, deny }: CommandRules): boolean {
  return deny.length === 0 && allow.some((text) => text.trim() === "*");
}

/**
 * Tells whether a command is, or might be, on the list of denied ones. Unlike a name that is allowed, a name that is
 * denied stands for every path to it: `curl` denies `/usr/bin/curl` too. A word that only running the script would tell
 * counts as the denied one.
 */
export function deniesCommand(deny: readonly string[], argv: readonly CommandWord[]): boolean {
  const [name, ...args] = argv;
  if (typeof name !== "string") return deny.length > 0;
  const names = [name, name.slice(name.lastIndexOf("/") + 1)];
  return deny.some((text) => names.some((spelling) => mayMatch(parsePattern(text), [spelling, ...args])));
}

/** The entry of the list that denies a command. */
export function findDenyingRule(deny: readonly string[], argv: readonly CommandWord[]): string | undefined {
  return deny.find((entry) => deniesCommand([entry], argv));
}

function mayMatch(pattern: CommandPattern, argv: readonly CommandWord[]): boolean {
  for (const [index, word] of pattern.words.entries()) {
    const argument = argv[index];
    // An unknown word may stand for several, so that nothing after it can be compared.
    if (argument === null) return true;
    if (argument === undefined || !matchWord(word, argument, index)) return false;
  }
  return pattern.open || argv.length === pattern.words.length || argv.includes(null);
}

/** Which commands a policy allows, in a sentence. */
export function describeCommands({ allow, deny }: CommandRules): string {
  const allowed = `Allowed are: ${allow.join(", ") || "none"}`;
  return deny.length === 0 ? `${allowed}.` : `${allowed}; denied are: ${deny.join(", ")}.`;
}

/** Everything that `pattern` matches, `ceiling` matches too. */
export function coversCommand(ceiling: string, pattern: string): boolean {
  const outer = parsePattern(ceiling);
  const inner = parsePattern(pattern);
  if (outer.words.length > inner.words.length) return false;
  if (!outer.open && (inner.open || outer.words.length !== inner.words.length)) return false;
  return outer.words.every((word, index) => matchWord(word, inner.words[index] ?? "", index));
}

/** Some pattern of the list starts with this name, whatever arguments it wants. */
export function namesCommand(allow: readonly string[], name: string): boolean {
  return allow.some((text) => matchWord(parsePattern(text).words[0] ?? "*", name, 0));
}
