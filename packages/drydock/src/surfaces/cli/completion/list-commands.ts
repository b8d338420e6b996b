import type { Command } from "commander";

/** A command of Drydock's own, by its words, with what may follow. */
export interface KnownCommand {
  path: string;
  words: string[];
  options: string[];
}

/** Every command with its subcommands and options; the first is the program itself. */
export function listCommands(command: Command, path = ""): KnownCommand[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));
  const own = { path, words: children.map((child) => child.name()), options: [...options, "--help"] };
  return [own, ...children.flatMap((child) => listCommands(child, `${path} ${child.name()}`.trim()))];
}
