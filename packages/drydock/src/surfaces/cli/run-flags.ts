import { type Command, InvalidArgumentError, Option } from "commander";
import { readHosts, readPositive } from "./read-run-policy.ts";

export const DEBUG_HELP = "show details: prompts, code, where the policy comes from, timings, the sandbox";

/** Gives a command the options of RunFlags. */
export function addRunFlags(command: Command): Command {
  return command
    .option("--timeout <seconds>", "stop after this many seconds", parsePositive)
    .option("--memory <mb>", "stop if it uses more memory than this, in megabytes", parsePositive)
    .option("--net <hosts>", "hosts that the code may reach: HOST:PORT, separated by commas", collectHosts)
    .option("--policy <file>", "use the policy in this file, as far as the owner's policy allows it")
    .option("--unsafe", "turn off the Python guard (lists of imports and calls); the sandbox stays on")
    .option("--all", "also list ignored files and caches among the changes")
    .option("--debug", DEBUG_HELP)
    .addOption(jsonOption());
}

export function jsonOption(what = "print one JSON value, for programs"): Option {
  return new Option("--json", what);
}

export function parsePositive(text: string): number {
  const value = readPositive(text);
  if (value === undefined) throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

export function parseShare(text: string): number {
  const value = Number(text);
  if (/^[\d.]{1,9}$/.test(text) && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

export function collectHosts(text: string, before: string[] = []): string[] {
  return [...before, ...readHosts(text)];
}

export function collectText(text: string, before: string[] = []): string[] {
  return [...before, text];
}
