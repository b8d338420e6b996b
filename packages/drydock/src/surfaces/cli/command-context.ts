import type { EarlyStart } from "../../app/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What a command gets beside its options, and where it leaves its exit status. */
export interface CommandContext {
  terminal: Terminal;
  /** The words after `--`, untouched; null where there is none. */
  trailing: readonly string[] | null;
  status: number;
  /** A sandbox that was started before anything else was loaded. */
  early: EarlyStart | null;
}
