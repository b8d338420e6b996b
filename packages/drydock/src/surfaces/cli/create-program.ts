import { Command } from "commander";
import type { Terminal } from "../terminal/terminal.ts";

const EXAMPLES = `
Examples:
  $ drydock run --goal 'Make the tests pass'      plan, work, check, then change your files
  $ drydock exec -c 'print(6 * 7)'                run Python code in the sandbox
  $ drydock exec --workspace . -- pytest -q       run a command on a copy of this directory
  $ drydock session open                          open an interpreter that keeps its variables
  $ drydock runs list                             see what ran
  $ drydock doctor                                check this machine

Each command has its own help: drydock exec --help`;

/** What of a terminal the program's own output depends on. */
interface ProgramTerminal extends Pick<Terminal, "out" | "err" | "columns"> {
  outColors: { isColorSupported: boolean };
  errColors: { isColorSupported: boolean };
}

/** The program without its commands. It throws where commander would exit, and leaves printing errors to the caller. */
export function createProgram(version: string, terminal: ProgramTerminal): Command {
  return new Command("drydock")
    .description("Runs AI-written code and changes in a sandbox, under your policy, and records everything.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: () => {},
      getOutHelpWidth: () => Math.min(terminal.columns ?? 100, 120),
      getErrHelpWidth: () => Math.min(terminal.columns ?? 100, 120),
      getOutHasColors: () => terminal.outColors.isColorSupported,
      getErrHasColors: () => terminal.errColors.isColorSupported,
    })
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES);
}
