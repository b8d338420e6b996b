import type { Command } from "commander";

/** What every command says of an argument that is the id of a run. */
const RUN_ARGUMENT = "the run";

/** How every option whose value is the id of a run names it. */
const RUN_VALUE = "<run>";

/** A command of Drydock's own, by its words, with what may follow. */
export interface KnownCommand {
  path: string;
  words: string[];
  options: string[];
  /** Whether it is given the id of a run. */
  takesRun: boolean;
  /** Options whose value is the id of a run. */
  runOptions: string[];
}

/** Every command with its subcommands and options; the first is the program itself. */
export function listCommands(command: Command, path = ""): KnownCommand[] {
  const children = command.commands.filter((child) => child.name() !== "help");
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));
  const takesRun = command.registeredArguments.some(({ description }) => description === RUN_ARGUMENT);
  const runOptions = command.options.flatMap(({ long, flags }) => (long && flags.endsWith(RUN_VALUE) ? [long] : []));
  const words = children.map((child) => child.name());
  const own = { path, words, options: [...options, "--help"], takesRun, runOptions };
  return [own, ...children.flatMap((child) => listCommands(child, `${path} ${child.name()}`.trim()))];
}
