import type { Command } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import { refuse, type ScriptPosition } from "./script-position.ts";

interface KnownOptions {
  flags: string;
  /** Letters that take a value: the rest of their word, or else the next word. */
  valued: string;
}

const DECLARING: KnownOptions = { flags: "aAfFgiIlnprtux", valued: "" };
const MAPPING: KnownOptions = { flags: "t", valued: "dnOsuCc" };

/** Builtins that set variables, or remove them. */
const OPTIONS: ReadonlyMap<string, KnownOptions> = new Map([
  ["declare", DECLARING],
  ["local", DECLARING],
  ["typeset", DECLARING],
  ["export", { flags: "aAfnp", valued: "" }],
  ["readonly", { flags: "aAfp", valued: "" }],
  ["unset", { flags: "fnv", valued: "" }],
  ["read", { flags: "eErs", valued: "adinNptu" }],
  ["mapfile", MAPPING],
  ["readarray", MAPPING],
  ["getopts", { flags: "", valued: "" }],
  ["printf", { flags: "", valued: "v" }],
  ["wait", { flags: "fn", valued: "p" }],
]);

/**
 * The words of a builtin, where a value that is attached to its option is a word of its own: `-raNAME` becomes `-ra`
 * and `NAME`. An unknown option letter is refused, because it might take the next word as its value.
 */
export function separateOptions(
  name: string,
  args: readonly CommandWord[],
  at: Command,
  place: ScriptPosition,
): readonly CommandWord[] {
  const known = OPTIONS.get(name);
  if (!known) return args;
  const words: CommandWord[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index];
    if (typeof word !== "string" || word === "--" || !isOption(word, known)) break;
    const letters = word.slice(1);
    const end = [...letters].findIndex((letter) => !known.flags.includes(letter));
    if (end < 0) {
      words.push(word);
      continue;
    }
    if (!known.valued.includes(letters[end] ?? " "))
      refuse(place, at, `${name} has an option that is not known: ${word}`, [name, ...args]);
    const value = letters.slice(end + 1);
    words.push(word.slice(0, end + 2));
    if (value !== "") words.push(value);
    else if (++index < args.length) words.push(args[index] ?? null);
  }
  return [...words, ...args.slice(index)];
}

function isOption(word: string, known: KnownOptions): boolean {
  return /^-./s.test(word) || (known === DECLARING && /^\+./s.test(word));
}
