import type { CommandAction, ExtensionCommand } from "@drydock/protocol";
import type { EnabledCommand } from "../install/types.ts";
import type { Parameter } from "./check-value.ts";
import { findCommand, noSuchActionError, pickAction, pickCommand, pickDefaultAction } from "./find-action.ts";
import { scanWords } from "./split-words.ts";

/** `/curl get URL [--header TEXT]… [--raw]` */
export function describeUsage(command: ExtensionCommand, action: CommandAction): string {
  const args = action.arguments.map((argument) => {
    const name = argument.name.toUpperCase();
    return wrap(argument, argument.repeat ? `${name}…` : name);
  });
  const flags = action.flags.map((flag) => {
    const text = wrap(flag, describeFlag(flag));
    return flag.repeat ? `${text}…` : text;
  });
  return [`/${command.name}`, action.name, ...args, ...flags].join(" ");
}

function wrap({ required, default: usual }: Parameter, text: string): string {
  return required && usual === undefined ? text : `[${text}]`;
}

function describeFlag({ name, type }: Parameter): string {
  return type === "boolean" ? `--${name}` : `--${name} ${PLACEHOLDERS[type]}`;
}

const PLACEHOLDERS = { string: "TEXT", integer: "N", number: "N", boolean: "", path: "PATH", url: "URL", json: "JSON" };

/** Which command's or action's help a line asks for: `/help curl`, `/curl --help`, `/curl get -h`; null where it asks for none. */
export function findHelpTopic(line: string, commands: readonly EnabledCommand[]): string[] | null {
  for (const words of scanWords(line).commands) {
    const texts = words.map(({ text }) => text);
    const [first = "", ...rest] = texts;
    if (first === "/help") return rest.map((word) => word.replace(/^\//, ""));
    const end = texts.indexOf("--");
    const asking = words
      .slice(1, end < 0 ? undefined : end)
      .filter((word) => word.isBare && /^(?:--help|-h)$/.test(word.text));
    const found = asking.length > 0 ? pickCommand(first.replace(/^\//, ""), commands) : undefined;
    if (!found) continue;
    const named = pickAction(rest[0] ?? "", found.command);
    const flags = (named ?? pickDefaultAction(found.command))?.flags ?? [];
    const isOwn = asking.every(({ text }) =>
      flags.some(({ name, short }) => text === `--${name}` || text === `-${short}`),
    );
    if (!isOwn) return named ? [found.command.name, named.name] : [found.command.name];
  }
  return null;
}

/** Help for a command or one of its actions; without words, for all commands. */
export function helpText(words: readonly string[], commands: readonly EnabledCommand[]): string {
  const [name, actionName] = words;
  if (name === undefined) return helpForAll(commands);
  const { command, extension } = findCommand(name.replace(/^\//, ""), commands);
  if (actionName === undefined) return helpForCommand(command, extension);
  const action = pickAction(actionName, command);
  if (!action) throw noSuchActionError(actionName, command);
  return helpForAction(command, action);
}

function helpForAll(commands: readonly EnabledCommand[]): string {
  if (commands.length === 0) return "There are no commands. drydock ext add installs an extension.\n";
  const rows = [...commands]
    .sort((a, b) => (a.command.name < b.command.name ? -1 : 1))
    .map(({ command }) => [`/${[command.name, ...command.aliases].join(", /")}`, firstSentence(command.description)]);
  return `Commands:\n${alignRows(rows)}\nEach has its own help: /COMMAND --help, /COMMAND ACTION --help\n`;
}

function helpForCommand(command: ExtensionCommand, extension: string): string {
  const usual = pickDefaultAction(command);
  const rows = command.actions.map((action) => [
    describeUsage(command, action),
    firstSentence(action.description) + (command.actions.length > 1 && action === usual ? " (default)" : ""),
  ]);
  const names = command.aliases.map((alias) => `/${alias}`).join(", ");
  const examples = command.actions.flatMap((action) => action.examples.slice(0, 1));
  return [
    `/${command.name} (${extension}): ${command.description.trim()}`,
    ...(names === "" ? [] : [`Also: ${names}`]),
    `\nActions:\n${alignRows(rows).trimEnd()}`,
    ...listExamples(examples),
    "",
  ].join("\n");
}

function helpForAction(command: ExtensionCommand, action: CommandAction): string {
  const args = action.arguments.map((each) => [each.name.toUpperCase(), describeParameter(each)]);
  const flags = action.flags.map((each) => [
    `${each.short === undefined ? "" : `-${each.short}, `}${describeFlag(each)}`,
    describeParameter(each),
  ]);
  return [
    describeUsage(command, action),
    `\n${action.description.trim()}`,
    ...(args.length === 0 ? [] : [`\nArguments:\n${alignRows(args).trimEnd()}`]),
    ...(flags.length === 0 ? [] : [`\nFlags:\n${alignRows(flags).trimEnd()}`]),
    ...listExamples(action.examples),
    `\nRisk: ${action.risk}. Ends after ${action.timeoutSeconds} s at the latest.`,
    "",
  ].join("\n");
}

function listExamples(examples: readonly string[]): string[] {
  return examples.length === 0 ? [] : [`\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`];
}

function describeParameter(parameter: Parameter): string {
  const { description, type, required, default: usual, choices, repeat, min, max } = parameter;
  const facts = [
    ...(choices ? [choices.join(" | ")] : type === "string" || type === "boolean" ? [] : [type]),
    ...(min === undefined ? [] : [`from ${min}`]),
    ...(max === undefined ? [] : [`up to ${max}`]),
    ...(repeat ? ["can be repeated"] : []),
    ...(required && usual === undefined ? ["required"] : []),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return [description.trim(), ...(facts.length === 0 ? [] : [`(${facts.join("; ")})`])].filter(Boolean).join(" ");
}

export function firstSentence(text: string): string {
  return /^[^\n]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim().split("\n", 1)[0] ?? "";
}

function alignRows(rows: readonly (readonly string[])[]): string {
  const width = Math.min(40, Math.max(0, ...rows.map(([first = ""]) => first.length)));
  return rows
    .map(([first = "", second = ""]) =>
      first.length > width ? `  ${first}\n  ${" ".repeat(width)}  ${second}` : `  ${first.padEnd(width)}  ${second}`,
    )
    .map((row) => `${row.trimEnd()}\n`)
    .join("");
}
