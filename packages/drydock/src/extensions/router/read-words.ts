import type { CommandAction, CommandFlag, DrydockError } from "@drydock/protocol";
import { findNearestWord } from "../../base/text/index.ts";
import type { Parameter } from "./check-value.ts";
import { refuseDepth } from "./refuse-depth.ts";
import { refuseAt, refuseInput, showText } from "./refuse-input.ts";
import type { Word } from "./split-words.ts";

/** The text of a parameter, and the word it came in. */
export interface ParameterText {
  parameter: Parameter;
  /** True and false where a flag stood without a value. */
  value: string | boolean;
  word: Word;
}

/** Hyphens, dashes and minus signs that are not the `-` of options, and look like it. */
const LOOKALIKE = /^[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b]+-?/;
const NEGATIVE = /^-\.?\d/;

/** Sorts words into flags and arguments, in their order. `--` ends the flags. */
export function readWords(action: CommandAction, words: readonly Word[]): ParameterText[] {
  const parameterTexts: ParameterText[] = [];
  const left = [...words];
  let places = 0;
  let isAfterEnd = false;
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const { text } = word;
    if (!isAfterEnd && text === "--") isAfterEnd = true;
    else if (!isAfterEnd && text.startsWith("--")) parameterTexts.push(readLong(action, word, left));
    else if (!isAfterEnd && isShort(action, text, places)) parameterTexts.push(...readShort(action, word, left));
    else {
      if (!isAfterEnd) refuseLookalike(action, word);
      parameterTexts.push({ parameter: takePlace(action, word, places), value: text, word });
      places += 1;
    }
  }
  return parameterTexts;
}

/** `-5` is a number where a number is wanted. */
function isShort(action: CommandAction, text: string, places: number): boolean {
  if (!text.startsWith("-") || text === "-") return false;
  const type = pickArgument(action, places)?.type;
  return !(NEGATIVE.test(text) && (type === "integer" || type === "number"));
}

export function pickArgument({ arguments: all }: CommandAction, place: number): Parameter | undefined {
  const last = all.at(-1);
  return all[place] ?? (last?.repeat ? last : undefined);
}

function takePlace(action: CommandAction, word: Word, place: number): Parameter {
  const found = pickArgument(action, place);
  if (found) return found;
  const count = action.arguments.length;
  const takes = count === 0 ? "no arguments" : count === 1 ? "one argument" : `${count} arguments`;
  throw refuseAt(
    word.start,
    `${action.name} takes ${takes}; ${showText(word.text)} is too much.`,
    "Quote a value that has spaces.",
  );
}

function readLong(action: CommandAction, word: Word, left: Word[]): ParameterText {
  const equals = word.text.indexOf("=");
  const name = word.text.slice(2, equals < 0 ? undefined : equals);
  const value = equals < 0 ? undefined : word.text.slice(equals + 1);
  const flag = action.flags.find((each) => each.name === name);
  if (flag) return { parameter: flag, value: value ?? takeValue(action, flag, word, left), word };
  const negated = name.startsWith("no-") && action.flags.find((each) => `no-${each.name}` === name);
  if (negated && negated.type === "boolean" && value === undefined) return { parameter: negated, value: false, word };
  throw unknownFlag(action, word, `--${name}`);
}

/** `-n 5`, `-n5`, `-n=5`, and letters of flags without values together: `-rv`. */
function readShort(action: CommandAction, word: Word, left: Word[]): ParameterText[] {
  const parameterTexts: ParameterText[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const letter = word.text[at];
    const flag = action.flags.find(({ short }) => short === letter);
    if (!flag) throw unknownFlag(action, word, at === 1 ? word.text : `-${letter}`);
    const rest = word.text.slice(at + 1);
    if (flag.type === "boolean" && !rest.startsWith("=")) {
      parameterTexts.push({ parameter: flag, value: true, word });
      continue;
    }
    const value = rest === "" ? takeValue(action, flag, word, left) : rest.replace(/^=/, "");
    return [...parameterTexts, { parameter: flag, value, word }];
  }
  return parameterTexts;
}

/** The next word, unless it is another flag of the action: then a value was forgotten. */
function takeValue(action: CommandAction, flag: CommandFlag, word: Word, left: Word[]): string | true {
  if (flag.type === "boolean") return true;
  const next = left[0];
  if (next === undefined || next.text === "--" || isFlagOf(action, next.text)) {
    throw refuseAt(word.start, `--${flag.name} needs a value.`, `As in --${flag.name} VALUE, or --${flag.name}=VALUE.`);
  }
  left.shift();
  return next.text;
}

function isFlagOf({ flags }: CommandAction, text: string): boolean {
  const [head] = text.split("=", 1);
  return flags.some(({ name, short }) => head === `--${name}` || head === `--no-${name}` || text === `-${short}`);
}

function unknownFlag(action: CommandAction, word: Word, shown: string): DrydockError {
  const names = action.flags.map(({ name }) => `--${name}`);
  const near = findNearestWord(shown, names);
  const there = names.length === 0 ? `${action.name} has no flags` : `${action.name} has ${names.join(", ")}`;
  const suggestion = near === undefined ? "" : `Did you mean ${near}? `;
  return refuseAt(
    word.start,
    `${action.name} has no flag ${showText(shown)}.`,
    `${suggestion}${there}; text that begins with a dash stands after --.`,
  );
}

/** An editor that makes `—header` of `--header` would otherwise turn a flag into an argument. */
function refuseLookalike(action: CommandAction, word: Word): void {
  const dashes = LOOKALIKE.exec(word.text)?.[0];
  if (dashes === undefined) return;
  const [name = ""] = word.text.slice(dashes.length).split("=", 1);
  const flag = action.flags.find((each) => each.name === name || each.short === name);
  if (!flag) return;
  const written = flag.name === name ? `--${name}` : `-${name}`;
  throw refuseAt(
    word.start,
    `The dash in ${showText(word.text)} is not the character that begins a flag.`,
    `Write ${written} for the flag. If it is meant as text, put it after --.`,
  );
}

/** Collects named parameters; a parameter that is repeated and may not be is refused. */
export function gatherTexts(parameterTexts: readonly ParameterText[]): Map<string, ParameterText[]> {
  const gathered = new Map<string, ParameterText[]>();
  for (const each of parameterTexts) {
    const before = gathered.get(each.parameter.name);
    if (before && !each.parameter.repeat) {
      throw refuseAt(each.word.start, `${each.parameter.name} is given twice.`, "Give it once.");
    }
    gathered.set(each.parameter.name, [...(before ?? []), each]);
  }
  return gathered;
}

/** JSON is read before templates are filled in, so that what they stand for can't change its shape. */
export function readJsonText({ name }: Parameter, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = `Quote it: --${name} '{"a": 1}'. A template in it is a text: '{"a": "{{ last.json.x }}"}'.`;
    throw refuseInput(`${name} must be JSON: ${showText(reason)}`, hint, { parameter: name });
  }
  refuseDepth(name, value);
  return value;
}
