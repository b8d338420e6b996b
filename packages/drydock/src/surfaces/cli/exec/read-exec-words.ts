import { readFlags } from "../flags/read-flags.ts";
import { EXEC_FLAGS, type ExecWords } from "./exec-flags.ts";

/** The words of a plain, correct `drydock exec`; null for anything else. */
export function readExecWords(words: readonly string[]): ExecWords | null {
  const [command, ...rest] = words;
  const read = command === "exec" ? readFlags(EXEC_FLAGS, rest) : null;
  if (!read) return null;
  const [file, ...args] = read.positionals;
  return { file, args, flags: read.flags };
}
