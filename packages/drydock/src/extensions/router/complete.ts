import type { CommandAction, CommandFlag } from "@drydock/protocol";
import type { EnabledCommand } from "../install/types.ts";
import type { Parameter } from "./check-value.ts";
import { pickAction, pickCommand, pickDefaultAction } from "./find-action.ts";
import { firstSentence } from "./help-text.ts";
import { pickArgument } from "./read-words.ts";
import { quoteWord, scanWords, type Word } from "./split-words.ts";

export interface Completed {
  /** The whole word as it should read, with its quotes. */
  word: string;
  description: string;
}

interface Offer {
  text: string;
  description: string;
}

/** The unfinished word that a line ends with, as it was typed; empty where a new one would begin. */
export function findBegunWord(line: string): string {
  return line.slice(findBegun(line).word?.start ?? line.length);
}

/** What could stand where the line ends. */
export function complete(line: string, commands: readonly EnabledCommand[]): Completed[] {
  const { before, word, quote } = findBegun(line);
  const begun = word?.text ?? "";
  return findOffers(before, begun, commands)
    .filter(({ text }) => text.startsWith(begun))
    .map(({ text, description }) => ({ word: quoteAs(text, quote), description }));
}

interface Begun {
  /** The words of the same command that are whole. */
  before: string[];
  word: Word | undefined;
  /** The quote that the unfinished word was begun with. */
  quote: string;
}

function findBegun(line: string): Begun {
  const { commands } = scanWords(line);
  const words = commands.at(-1) ?? [];
  const last = words.at(-1);
  const isUnfinished = last !== undefined && last.end === line.length;
  const before = (isUnfinished ? words.slice(0, -1) : words).map(({ text }) => text);
  const mark = isUnfinished ? (line[last.start] ?? "") : "";
  return { before, word: isUnfinished ? last : undefined, quote: mark === "'" || mark === '"' ? mark : "" };
}

function quoteAs(text: string, quote: string): string {
  if (quote === '"') return `"${text.replace(/[$`"\\]/g, "\\$&")}"`;
  return quote === "'" ? `'${text.replaceAll("'", "'\\''")}'` : quoteWord(text);
}

function findOffers(before: readonly string[], begun: string, commands: readonly EnabledCommand[]): Offer[] {
  const [first, second] = before;
  if (first === undefined) return offerCommands(begun, commands);
  const found = pickCommand(first.replace(/^\//, ""), commands);
  if (!found) return [];
  const named = pickAction(second ?? "", found.command);
  const action = named ?? pickDefaultAction(found.command);
  const typed = before.slice(named ? 2 : 1);
  const actions = second === undefined ? found.command.actions : [];
  return [
    ...actions.map(({ name, description }) => ({ text: name, description: firstSentence(description) })),
    ...(action ? offerForAction(action, typed, begun) : []),
    ...(before.length <= 2 && begun.startsWith("-") ? [{ text: "--help", description: "what it does and takes" }] : []),
  ];
}

/** An alias is offered where it was begun, so that an empty line shows each command once. */
function offerCommands(begun: string, commands: readonly EnabledCommand[]): Offer[] {
  return commands
    .flatMap(({ command }) => {
      const names = [command.name, ...(begun.length > 1 ? command.aliases : [])];
      return names.map((name) => ({ text: `/${name}`, description: firstSentence(command.description) }));
    })
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

function offerForAction(action: CommandAction, typed: readonly string[], begun: string): Offer[] {
  const { waiting, places, used, isAfterEnd } = readTypedWords(action, typed);
  if (waiting) return offerValues(waiting, "");
  if (!isAfterEnd && begun.startsWith("--") && begun.includes("=")) {
    const name = begun.slice(2, begun.indexOf("="));
    const flag = action.flags.find((each) => each.name === name);
    return flag ? offerValues(flag, `--${name}=`) : [];
  }
  const argument = pickArgument(action, places);
  const values = argument ? offerValues(argument, "") : [];
  const flags = action.flags.filter(({ name, repeat }) => repeat || !used.has(name)).flatMap(offerFlag);
  return isAfterEnd ? values : [...values, ...flags];
}

function offerFlag({ name, type, description, default: usual }: CommandFlag): Offer[] {
  const isOn = type === "boolean" && usual === true;
  return [{ text: isOn ? `--no-${name}` : `--${name}`, description: firstSentence(description) }];
}

function offerValues({ choices, type, description }: Parameter, prefix: string): Offer[] {
  const values = choices ?? (type === "boolean" ? ["true", "false"] : []);
  return values.map((value) => ({ text: `${prefix}${value}`, description: firstSentence(description) }));
}

interface ReadSoFar {
  /** The flag whose value comes next. */
  waiting: CommandFlag | null;
  /** How many arguments there are. */
  places: number;
  used: Set<string>;
  isAfterEnd: boolean;
}

/** Takes what is there as it comes: a line that is being typed may well hold mistakes. */
function readTypedWords(action: CommandAction, typed: readonly string[]): ReadSoFar {
  const state: ReadSoFar = { waiting: null, places: 0, used: new Set(), isAfterEnd: false };
  for (const text of typed) {
    if (state.waiting) state.waiting = null;
    else if (!state.isAfterEnd && text === "--") state.isAfterEnd = true;
    else if (state.isAfterEnd || !text.startsWith("-")) state.places += 1;
    else {
      const [head = ""] = text.split("=", 1);
      const flag = action.flags.find(
        ({ name, short }) => head === `--${name}` || head === `--no-${name}` || text === `-${short}`,
      );
      if (flag) state.used.add(flag.name);
      if (flag && flag.type !== "boolean" && !text.includes("=")) state.waiting = flag;
    }
  }
  return state;
}
