import { DrydockError, EXIT_STATUS } from "@drydock/protocol";
import { type Command, CommanderError } from "commander";
import manifest from "../../../package.json" with { type: "json" };
import type { CommandContext, DefineCommand } from "./command-context.ts";
import { createProgram } from "./create-program.ts";
import { renderError } from "./render/render-error.ts";
import type { Terminal } from "./terminal.ts";

/** Each is loaded when it is called; all of them only for the help that lists them. */
const COMMANDS: Record<string, () => Promise<{ defineCommand: DefineCommand }>> = {
  exec: () => import("./commands/exec.ts"),
  session: () => import("./commands/session.ts"),
  runs: () => import("./commands/runs.ts"),
  audit: () => import("./commands/audit.ts"),
  policy: () => import("./commands/policy.ts"),
  doctor: () => import("./commands/doctor.ts"),
};

/** Not for people: what a keeper process is started with. */
const KEEPER_COMMAND = "__keeper";

/** Runs one command and gives the exit status. Never throws: what went wrong has been printed. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv[0] === KEEPER_COMMAND) {
    const { keepSessions } = await import("./keep-sessions.ts");
    return keepSessions(argv[1]);
  }
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const context: CommandContext = { terminal, trailing: end < 0 ? null : argv.slice(end + 1), status: 0 };
  try {
    const program = createProgram(manifest.version, terminal);
    await defineCommands(program, context, words[0] ?? "");
    await program.parseAsync(words, { from: "user" });
    return context.status;
  } catch (error) {
    return reportError(error, terminal, words);
  }
}

async function defineCommands(program: Command, context: CommandContext, asked: string): Promise<void> {
  const load = Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
  const modules = await Promise.all((load ? [load] : Object.values(COMMANDS)).map((each) => each()));
  for (const { defineCommand } of modules) defineCommand(program, context);
}

function reportError(error: unknown, terminal: Terminal, words: readonly string[]): number {
  const asksJson = words.includes("--json");
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Help that nobody asked for has been printed, in place of an error, where words are missing.
  if (error instanceof CommanderError && error.code === "commander.help" && !asksJson)
    return EXIT_STATUS["input.invalid"];
  const known = error instanceof CommanderError ? fromCommander(error) : asKnownError(error);
  if (asksJson) terminal.out(`${JSON.stringify({ error: known.toInfo() })}\n`);
  else terminal.err(renderError(known.toInfo(), terminal.errColors));
  if (words.includes("--debug") && error instanceof Error && !(error instanceof CommanderError)) {
    terminal.err(`${error.stack ?? ""}\n`);
  }
  return known.exitStatus;
}

/** Its message is "error: what is wrong", and then perhaps "(Did you mean …?)". */
function fromCommander(error: CommanderError): DrydockError {
  if (error.code === "commander.help") {
    return new DrydockError("input.invalid", "No command was given.", "See drydock --help.");
  }
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").replace(/^\(|\)$/g, "");
  const message = first.charAt(0).toUpperCase() + first.slice(1) + (/[.!?]$/.test(first) ? "" : ".");
  return new DrydockError("input.invalid", message, suggestion || "See --help for what can be given.");
}

function asKnownError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const hint = "This is a fault in Drydock itself. See drydock doctor, and --debug for more.";
  return new DrydockError("internal", message, hint, {}, error);
}
