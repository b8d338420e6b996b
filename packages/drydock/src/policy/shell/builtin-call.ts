import type { Command, CommandArgument } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import type { ScriptPosition } from "./script-position.ts";
import type { ShellArithmetic } from "./shell-arithmetic.ts";

/** One call of a builtin of the shell. */
export interface BuiltinCall {
  name: string;
  arithmetic: ShellArithmetic;
  args: readonly CommandWord[];
  /** The same as they stand in the script. */
  words: readonly CommandArgument[];
  at: Command;
  place: ScriptPosition;
}
