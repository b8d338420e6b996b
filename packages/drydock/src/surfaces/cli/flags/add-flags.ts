import { type Command, InvalidArgumentError, Option } from "commander";
import { type Flag, type FlagTable, READERS } from "./flag.ts";
import { RUN_FLAGS } from "./run-flags.ts";

/** Gives a command the options of a table, in its order. */
export function addFlags(command: Command, table: FlagTable): Command {
  for (const [name, flag] of Object.entries(table)) command.addOption(flagOption(name, flag));
  return command;
}

/** Gives a command the options of RunFlags. */
export const addRunFlags = (command: Command): Command => addFlags(command, RUN_FLAGS);

export function flagOption(name: string, { short, value, reads, choices, help }: Flag): Option {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const option = new Option(value === undefined ? names : `${names} <${value}>`, help);
  if (choices) option.choices([...choices]);
  if (reads) option.argParser(toParser(reads));
  return option;
}

function toParser(reads: NonNullable<Flag["reads"]>) {
  const { read, problem }: { read(text: string, before?: never): unknown; problem: string } = READERS[reads];
  return (text: string, before: unknown) => {
    const value = read(text, before as never);
    if (value === undefined) throw new InvalidArgumentError(problem);
    return value;
  };
}

export const debugOption = (): Option => flagOption("debug", RUN_FLAGS.debug);

export function jsonOption(what: string = RUN_FLAGS.json.help): Option {
  return new Option("--json", what);
}

export const parsePositive = toParser("positive") as (text: string) => number;
export const collectHosts = toParser("hosts") as (text: string, before?: string[]) => string[];

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

const MAX_PAGE = 1000;

/** How many entries a list may have. */
export function parseLimit(text: string): number {
  const count = parseCount(text);
  if (count >= 1 && count <= MAX_PAGE) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_PAGE}.`);
}

export function parseFraction(text: string): number {
  const value = Number(text);
  if (/^[\d.]{1,9}$/.test(text) && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

export function collectText(text: string, before: string[] = []): string[] {
  return [...before, text];
}
