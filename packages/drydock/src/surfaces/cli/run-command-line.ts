import { DrydockError, INTERNAL_HINT, internalError } from "@drydock/protocol";
import type { EarlyStart } from "../../app/index.ts";
import { renderError } from "../terminal/render/render-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { CommandContext } from "./command-context.ts";
import { executeCode } from "./exec/execute-code.ts";
import { readExecWords } from "./exec/read-exec-words.ts";

/** Runs one command and gives the exit status. Never throws: what went wrong has been printed. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  early: EarlyStart | null = null,
): Promise<number> {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const context: CommandContext = { terminal, trailing: end < 0 ? null : argv.slice(end + 1), status: 0, early };
  try {
    const quick = readExecWords(words);
    if (quick) await executeCode(context, quick);
    else await (await import("./run-program.ts")).runProgram(words, context);
    return context.status;
  } catch (error) {
    return reportError(error, terminal, words);
  }
}

function reportError(error: unknown, terminal: Terminal, words: readonly string[]): number {
  const known = asKnownError(error);
  if (words.includes("--json")) terminal.out(`${JSON.stringify({ error: known.toInfo() })}\n`);
  else terminal.err(renderError(known.toInfo(), terminal.errColors));
  if (words.includes("--debug") && known.code === "internal" && error instanceof Error)
    terminal.err(`${error.stack ?? ""}\n`);
  return known.exitStatus;
}

function asKnownError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  return internalError(error, `${INTERNAL_HINT} --debug shows the stack trace.`);
}
