import type { CommandAction, ParameterValue } from "@drydock/protocol";
import { looksLikeOptionError } from "../errors.ts";
import {
  type FillOptions,
  faultyTemplateError,
  fillText,
  findNames,
  findWholeName,
  pickValue,
  type Values,
  writeValue,
} from "./fill-text.ts";
import { refuseInput } from "./refuse-input.ts";

/** The most that Linux takes as one word, its end mark not included, and a safe share of what it takes in all. */
const MAX_WORD_BYTES = 131_071;
const MAX_TOTAL_BYTES = 1_500_000;

interface MadeWord {
  text: string;
  /** Values that the text begins with; none where it begins with the extension's own words. */
  leaders: string[];
}

/**
 * The words after the program's name. Each value stays within one word, whatever it holds; a word with a value that is
 * not set is left out. A word that begins with a value must not begin with `-`, unless that was declared to be harmless
 * or a literal `--` stands before it.
 */
export function makeWords(action: CommandAction, values: Values, options: Pick<FillOptions, "input"> = {}): string[] {
  const parameters = [...action.arguments, ...action.flags];
  const lists = new Set(parameters.filter(({ repeat }) => repeat).map(({ name }) => name));
  const dashed = new Set(parameters.filter(({ dash }) => dash).map(({ name }) => name));
  const made =
    action.args === undefined
      ? makePlainWords(action, values)
      : makeDeclaredWords(action.args, { values, options, lists });
  let isAfterEnd = false;
  let total = 0;
  for (const { text, leaders } of made) {
    const isFree = leaders.length === 0 || leaders.every((name) => dashed.has(name));
    if (text.startsWith("-") && !isAfterEnd && !isFree) throw looksLikeOptionError(leaders[0] ?? "", text);
    if (leaders.length === 0 && text === "--") isAfterEnd = true;
    total += checkSize(text);
  }
  if (total > MAX_TOTAL_BYTES) {
    throw refuseInput(
      `The command line has ${total} bytes, and may have ${MAX_TOTAL_BYTES}.`,
      "Put long text into a file.",
    );
  }
  return made.map(({ text }) => text);
}

function checkSize(text: string): number {
  if (text.includes("\0"))
    throw refuseInput("A word of the command line holds a NUL character.", "Remove it: no program accepts one.");
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_WORD_BYTES) return bytes + 1;
  const hint = "Put long text into a file, or use an action that reads it as its input.";
  throw refuseInput(`A word of the command line has ${bytes} bytes, and may have ${MAX_WORD_BYTES}.`, hint);
}

/** What an action gets that says nothing about its words: its flags by name, then `--`, then its arguments. */
function makePlainWords(action: CommandAction, values: Values): MadeWord[] {
  const own = (text: string): MadeWord => ({ text, leaders: [] });
  const flags = action.flags.flatMap(({ name, type, repeat }) => {
    const value = pickValue(name, values, {});
    if (value === undefined) return [];
    if (type === "boolean" && !repeat) return value === true ? [own(`--${name}`)] : [];
    return listValues(value, repeat).map((item) => own(`--${name}=${writeValue(item)}`));
  });
  const args = action.arguments.flatMap(({ name, repeat }) => {
    const value = pickValue(name, values, {});
    return value === undefined
      ? []
      : listValues(value, repeat).map((item) => ({ text: writeValue(item), leaders: [name] }));
  });
  return args.length === 0 ? flags : [...flags, own("--"), ...args];
}

function listValues(value: ParameterValue, repeat: boolean): ParameterValue[] {
  return repeat && Array.isArray(value) ? value : [value];
}

/** What templates are filled from. */
interface Source {
  values: Values;
  options: FillOptions;
  /** Names whose values are lists of values; the value of a JSON parameter can be a list, and still is one value. */
  lists: ReadonlySet<string>;
}

function makeDeclaredWords(args: NonNullable<CommandAction["args"]>, source: Source): MadeWord[] {
  return args.flatMap((template) => {
    if (typeof template === "string") return makeTemplateWords(template, source, null);
    const name = "each" in template ? template.each : template.when;
    const value = pickValue(name, source.values, source.options);
    const isThere = "when" in template && template.is !== undefined ? value === template.is : isSet(value);
    if (!isThere || value === undefined) return [];
    const isEach = "each" in template;
    const items = isEach ? listValues(value, source.lists.has(name)) : [value];
    const lists = new Set([...source.lists, ...(!isEach && source.lists.has(name) ? ["value"] : [])]);
    return items.flatMap((item) => {
      const inner = { ...source, lists, options: { ...source.options, value: item } };
      return template.words.flatMap((word) => makeTemplateWords(word, inner, name));
    });
  });
}

function isSet(value: ParameterValue | undefined): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function makeTemplateWords(template: string, { values, options, lists }: Source, owner: string | null): MadeWord[] {
  const names = findNames(template);
  const picked = names.map((name) => pickValue(name, values, options));
  if (picked.some((value) => value === undefined)) return [];
  const whole = findWholeName(template);
  const nameOf = (name: string) => (name === "value" && owner !== null ? owner : name);
  const [only] = picked;
  if (whole !== null && only !== undefined) {
    const items = listValues(only, lists.has(whole));
    return items.map((item) => ({ text: writeValue(item), leaders: [nameOf(whole)] }));
  }
  if (names.some((name) => lists.has(name))) {
    throw faultyTemplateError(template, "holds a repeated value in the middle of a word; use `each`");
  }
  const front = /^(?:\{\{[^{}]*\}\})*/.exec(template)?.[0] ?? "";
  return [{ text: fillText(template, values, options), leaders: findNames(front).map(nameOf) }];
}
