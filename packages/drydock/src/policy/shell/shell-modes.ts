import type { Command } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import { refuse, type ScriptPosition } from "./script-position.ts";

/**
 * Modes in which bash reads a script otherwise than it is checked: words after a command's name that look like
 * assignments set variables, `!` brings back earlier text, `source` looks for a name elsewhere.
 */
const REFUSED_MODES: ReadonlySet<string> = new Set(["keyword", "history", "histexpand", "sourcepath"]);

export function checkModes(name: string, args: readonly CommandWord[], at: Command, place: ScriptPosition): void {
  if (name === "set") checkSet(args, at, place);
  if (name !== "shopt") return;
  for (const word of args) refuseMode(word, ["shopt", ...args], at, place);
}

/** Words after `--`, `-` or the first that is no option are arguments of the script. */
function checkSet(args: readonly CommandWord[], at: Command, place: ScriptPosition): void {
  const argv = ["set", ...args];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? null;
    if (word === null) refuse(place, at, "set has a word that may be an option: write `set --` before it", argv);
    if (word === "--" || word === "-" || !/^[-+]/.test(word)) return;
    if (!/^[-+][abefhkmnoprtuvxBCEHPT]*$/.test(word))
      refuse(place, at, `set has an option that is not known: ${word}`, argv);
    if (/^-\w*[kH]/.test(word)) refuse(place, at, `set ${word} changes how bash reads the script`, argv);
    // Each `o` takes a word that is no option: in `set -o -k`, `-k` is one.
    for (let names = word.split("o").length - 1; names > 0 && index + 1 < args.length; names--) {
      if (/^[-+]/.test(args[index + 1] ?? "")) break;
      const mode = args[++index] ?? null;
      if (mode === null || word.startsWith("-")) refuseMode(mode, argv, at, place);
    }
  }
}

function refuseMode(mode: CommandWord, argv: readonly CommandWord[], at: Command, place: ScriptPosition): void {
  if (mode === null) refuse(place, at, "the name of a mode is not literal", argv);
  if (REFUSED_MODES.has(mode)) refuse(place, at, `${mode} changes how bash reads the script`, argv);
}
