import { type CommandAction, DrydockError, type ExtensionCommand } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import { commandNotFoundError } from "../errors.ts";
import type { EnabledCommand } from "../install/types.ts";
import { refuseInput, showText } from "./refuse-input.ts";

export interface ResolvedAction extends EnabledCommand {
  action: CommandAction;
}

/** By its name or an alias, without the slash. */
export function pickCommand(name: string, commands: readonly EnabledCommand[]): EnabledCommand | undefined {
  return commands.find(({ command }) => command.name === name || command.aliases.includes(name));
}

export function findCommand(name: string, commands: readonly EnabledCommand[]): EnabledCommand {
  const found = pickCommand(name, commands);
  if (found) return found;
  const names = commands.flatMap(({ command }) => [command.name, ...command.aliases]);
  const near = findNearestWord(name, names);
  throw commandNotFoundError(`/${showText(name)}`, near && `/${near}`);
}

/** The one that is meant where no action is named: the default, or the only one. */
export function pickDefaultAction({ actions, default: name }: ExtensionCommand): CommandAction | undefined {
  return actions.length === 1 ? actions[0] : actions.find((action) => action.name === name);
}

export function pickAction(name: string, { actions }: ExtensionCommand): CommandAction | undefined {
  return actions.find((action) => action.name === name);
}

export function noSuchActionError(name: string | undefined, command: ExtensionCommand): DrydockError {
  const names = command.actions.map((action) => action.name);
  const there = `/${command.name} has ${names.join(", ")}.`;
  if (name === undefined) return refuseInput(`/${command.name} needs an action.`, there, { command: command.name });
  const near = findNearestWord(name, names);
  const { code, message, hint, data } = commandNotFoundError(
    `/${command.name} ${showText(name)}`,
    near && `/${command.name} ${near}`,
  );
  return new DrydockError(code, message, near === undefined ? there : hint, data);
}
