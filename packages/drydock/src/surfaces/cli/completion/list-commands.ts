import type { Command } from "commander";

/** What every command says of an argument that is the id of a run. */
const RUN_ARGUMENT = "the run";

/** A command of Drydock's own, by its words, with what may follow. */
export interface KnownCommand {
  path: string;
  words: string[];
  options: string[];
  /** Whether it is given the id of a run. */
  takesRun: boolean;
}

/** Every command with its subcommands and options; the first is the program itself. */
export function listCommands(command: Command, path = ""): KnownCommand[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));
  const takesRun = command.registeredArguments.some(({ description }) => description === RUN_ARGUMENT);
  const own = { path, words: children.map((child) => child.name()), options: [...options, "--help"], takesRun };
  return [own, ...children.flatMap((child) => listCommands(child, `${path} ${child.name()}`.trim()))];
}
