import type { Argument, Command, Option } from "commander";

/** What `drydock LIST list --complete` prints. */
type ValueList = "runs" | "session" | "token" | "model";

/** What may stand at one place of a command line: fixed words, and those of a list of the home. */
export interface KnownValues {
  words: readonly string[];
  list: ValueList | null;
}

export interface KnownOption {
  name: string;
  /** Null for one without a value. */
  value: KnownValues | null;
}

/** How every option whose value is the id of a run names it. */
const RUN_VALUE = "<run>";

/** A command of Drydock's own, by its words, with what may follow. */
export interface KnownCommand {
  path: string;
  words: string[];
  options: KnownOption[];
  /** Its first argument. */
  argument: KnownValues;
}

const NOTHING: KnownValues = { words: [], list: null };

/** What commands call an argument that names one entry of a list. */
const LISTS: Readonly<Record<string, ValueList>> = {
  "the run": "runs",
  "the session's id, or last": "session",
  "the token's id or name, as in the list": "token",
  "a configured model, PROVIDER/NAME": "model",
  "a configured model, PROVIDER/NAME (default: the one in use)": "model",
};

/** Every command with its subcommands and options; the first is the program itself. `words` are those of arguments, by their description. */
export function listCommands(
  command: Command,
  words: Readonly<Record<string, readonly string[]>>,
  path = "",
): KnownCommand[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  const options = command.options.filter(({ hidden }) => !hidden).flatMap((option) => readOption(option, path));
  const own = {
    path,
    words: children.map((child) => child.name()),
    options: [...options, { name: "--help", value: null }],
    argument: readArgument(command.registeredArguments[0], words),
  };
  return [own, ...children.flatMap((child) => listCommands(child, words, `${path} ${child.name()}`.trim()))];
}

function readOption({ long, flags, required, optional, argChoices = [] }: Option, path: string): KnownOption[] {
  if (!long) return [];
  const value = required || optional ? { words: argChoices, list: listFor(long, flags, path) } : null;
  return [{ name: long, value }];
}

function listFor(long: string, flags: string, path: string): ValueList | null {
  if (flags.endsWith(RUN_VALUE)) return "runs";
  if (long === "--model") return "model";
  return long === "--session" && path === "exec" ? "session" : null;
}

function readArgument(argument: Argument | undefined, words: Readonly<Record<string, readonly string[]>>): KnownValues {
  if (!argument) return NOTHING;
  const { description, argChoices } = argument;
  return { words: argChoices ?? words[description] ?? [], list: LISTS[description] ?? null };
}
