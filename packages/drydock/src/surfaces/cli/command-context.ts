import type { Terminal } from "./terminal.ts";

/** What a command gets beside its options, and where it leaves its exit status. */
export interface CommandContext {
  terminal: Terminal;
  /** The words after `--`, untouched; null where there is none. */
  trailing: readonly string[] | null;
  status: number;
}
