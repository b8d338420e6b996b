import { DrydockError, EXIT_STATUS } from "@drydock/protocol";
import { type Command, CommanderError } from "commander";
import manifest from "../../../package.json" with { type: "json" };
import { findNearestWord } from "../../base/text/index.ts";
import type { CommandContext } from "./command-context.ts";
import { COMMANDS } from "./commands/index.ts";
import { createProgram } from "./create-program.ts";
import { keepSessions } from "./keep-sessions.ts";

/** Not for people: what a keeper process is started with. */
const KEEPER_COMMAND = "__keeper";

/** The whole command line. Wrong usage is thrown as input.invalid. */
export async function runProgram(words: readonly string[], context: CommandContext): Promise<void> {
  if (words[0] === KEEPER_COMMAND) return keepSessions(words[1]);
  const program = createProgram(manifest.version, context.terminal);
  for (const { defineCommand } of COMMANDS) defineCommand(program, context);
  if (words[0] === "help") refuseUnknown(program, words[1]);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code !== "commander.help") throw fromCommander(error, findCommand(program, words));
    if (words.includes("--json")) {
      throw new DrydockError("input.invalid", "No command was given.", "See drydock --help.");
    }
    // Commander has printed the help in place of an error.
    context.status = EXIT_STATUS["input.invalid"];
  }
}

/** Commander would print the whole help, as for a line without a command. */
function refuseUnknown(program: Command, name: string | undefined): void {
  const names = program.commands.map((command) => command.name());
  if (name === undefined || name.startsWith("-") || names.includes(name)) return;
  const nearest = findNearestWord(name, names);
  const hint = nearest ? `Did you mean ${nearest}?` : "drydock --help lists the commands.";
  throw new DrydockError("input.invalid", `Unknown command '${name}'.`, hint);
}

/** Its message is "error: what is wrong", and then perhaps "(Did you mean …?)". */
function fromCommander(error: CommanderError, { path, command }: FoundCommand): DrydockError {
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = rest.join(" ").replace(/^\(|\)$/g, "");
  const message = first.charAt(0).toUpperCase() + first.slice(1) + (/[.!?]$/.test(first) ? "" : ".");
  const names = command.commands.map((each) => each.name());
  const isUnknown = error.code === "commander.unknownCommand" && path !== "drydock";
  const twin = findTwin(error, { path, command });
  if (twin) return new DrydockError("input.invalid", message, `Did you mean ${twin}? See also ${path} --help.`);
  const help = isUnknown ? `The commands of ${path} are ${names.join(", ")}.` : `See ${path} --help.`;
  return new DrydockError("input.invalid", message, suggestion || help);
}

/** The same words under `agent` that were typed under `agents`, or the other way round; undefined where there are none. */
function findTwin({ code, message }: CommanderError, { path, command }: FoundCommand): string | undefined {
  if (code !== "commander.missingArgument" && code !== "commander.unknownCommand") return undefined;
  const [, name = "", ...rest] = path.split(" ");
  const unknown = code === "commander.unknownCommand" ? (/'([\w-]+)'/.exec(message)?.[1] ?? "") : null;
  const words = [name.endsWith("s") ? name.slice(0, -1) : `${name}s`, ...rest, ...(unknown === null ? [] : [unknown])];
  let root = command;
  while (root.parent) root = root.parent;
  const twin = findCommand(root, words).path;
  return twin === `drydock ${words.join(" ")}` ? twin : undefined;
}

interface FoundCommand {
  /** Its name, with those above it. */
  path: string;
  command: Command;
}

/** The command that a line names, as far as its first words do. */
function findCommand(program: Command, words: readonly string[]): FoundCommand {
  let [path, command] = ["drydock", program];
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    path = `${path} ${word}`;
    command = next;
  }
  return { path, command };
}
