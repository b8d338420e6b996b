import type { Command, CommandArgument, Word } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import type { BuiltinCall } from "./builtin-call.ts";
import { refuse, type ScriptPosition } from "./script-position.ts";
import type { ShellArithmetic } from "./shell-arithmetic.ts";
import { readNumber } from "./shell-numbers.ts";
import { separateOptions } from "./shell-options.ts";
import { checkTest } from "./shell-test.ts";
import { evaluateName, refuseGuarded } from "./shell-variables.ts";
import { readArgument } from "./shell-words.ts";

/** Builtins that evaluate words as expressions, or that set variables which other expressions may use. */
const BUILTINS: Readonly<Record<string, (call: BuiltinCall) => void>> = {
  "[": checkTest,
  test: checkTest,
  let: ({ arithmetic, words, at, place }) => {
    for (const word of words)
      arithmetic.evaluate(mayNameFiles(word) ? null : (readArgument(word) ?? word.text), at, place);
  },
  declare: checkDeclaration,
  local: checkDeclaration,
  typeset: checkDeclaration,
  readonly: checkDeclaration,
  export: checkDeclaration,
  read: checkReading,
  mapfile: checkReading,
  readarray: checkReading,
  getopts: checkReading,
  unset: ({ arithmetic, args, at, place }) => {
    for (const word of args) if (!word?.startsWith("-")) evaluateName(arithmetic, word, at, place);
  },
  printf: checkPrintf,
  wait: checkWait,
  jobs: ({ arithmetic, args, at, place }) => {
    if (args.some((word) => word?.startsWith("-") && word.includes("x"))) refuse(place, at, "jobs -x runs a command");
    if (args.includes(null)) arithmetic.evaluate(null, at, place);
  },
};

export function checkCalculatingBuiltin(
  arithmetic: ShellArithmetic,
  name: string,
  args: readonly CommandWord[],
  at: Command,
  place: ScriptPosition,
): void {
  // Words such as `builtin` may stand before the name.
  const words = at.args.slice(at.args.length - args.length);
  if (Object.hasOwn(BUILTINS, name)) BUILTINS[name]?.({ name, arithmetic, args, words, at, place });
}

function checkDeclaration({ arithmetic, args, words, at, place }: BuiltinCall): void {
  const options = args.filter((word) => /^[-+]/.test(word ?? "")).join(" ");
  for (const word of words) {
    const name = word.type === "Assignment" ? word.name : /^[A-Za-z_]\w*/.exec(word.value)?.[0];
    if (name === undefined) continue;
    if (/[aA]/.test(options)) arithmetic.markArray(name);
    if (/i/.test(options)) arithmetic.evaluate(name, at, place);
    if (word.type === "Assignment" && word.value.type === "Word") arithmetic.declare(name, word.value, at, place);
    if (word.type === "Word") checkQuotedDeclaration(name, word, { arithmetic, at, place });
  }
}

/** `declare 'x=1'`: the parser sees a word. */
function checkQuotedDeclaration(
  name: string,
  word: Word,
  { arithmetic, at, place }: Pick<BuiltinCall, "arithmetic" | "at" | "place">,
): void {
  const [target = "", value] = word.value.split(/\+?=(.*)/s);
  evaluateName(arithmetic, target, at, place);
  if (value === undefined) return;
  const inner: Word = { ...word, text: value, value, parts: undefined };
  arithmetic.assign(name, inner, at, place);
  arithmetic.declare(name, inner, at, place);
}

/** Bash replaces a pattern by the names of files, which may hold any text. */
function mayNameFiles(word: CommandArgument): boolean {
  const value = word.type === "Word" ? word : word.value;
  if (value.type !== "Word") return true;
  return (value.parts ?? []).some(({ type }) => type === "Glob" || type === "ExtendedGlob");
}

/** Any word may be a name: which ones are values of options does not matter. */
function checkReading({ arithmetic, name: builtin, args: argv, at, place }: BuiltinCall): void {
  const args = separateOptions(builtin, argv, at, place);
  const isArray = args.some((word) => /^-\w*a/.test(word ?? ""));
  for (const word of args) {
    const name = /^[A-Za-z_]\w*/.exec(word ?? "")?.[0];
    if (name === undefined) continue;
    if (word?.includes("[")) evaluateName(arithmetic, word, at, place);
    arithmetic.assign(name, null, at, place);
    if (isArray) arithmetic.markArray(name);
  }
}

/** `-v` may stand there several times. What stands after it may be another option, where it is not literal. */
function checkPrintf({ arithmetic, args, words, at, place }: BuiltinCall): void {
  let index = 0;
  const targets: (string | null)[] = [];
  for (; args[index]?.startsWith("-v"); index++) {
    const attached = args[index]?.slice(2);
    targets.push(attached || (args[++index] ?? null));
  }
  if (args[index] === "--") index++;
  else if (args[index] === null && !/^"?[^$`"'\\*?{[~-]/.test(words[index]?.text ?? "")) {
    // The text may begin with -v, and name a variable with a subscript.
    refuseUnlessNumber(arithmetic, words[index], at, place);
  }
  const isNumber = /^%[-+ 0]*\d*[diu]$/.test(args[index] ?? "");
  for (const name of targets) {
    evaluateName(arithmetic, name, at, place);
    const variable = name?.split("[")[0] ?? "";
    if (name) arithmetic.assign(variable, isNumber ? "number" : null, at, place);
    if (name?.includes("[")) arithmetic.markArray(variable);
  }
}

function checkWait({ arithmetic, args, words, at, place }: BuiltinCall): void {
  for (const [index, word] of args.entries()) {
    if (word === null) refuseUnlessNumber(arithmetic, words[index], at, place);
    if (!word?.startsWith("-") || !word.includes("p")) continue;
    const name = word.endsWith("p") ? args[index + 1] : word.slice(word.indexOf("p") + 1);
    evaluateName(arithmetic, name ?? null, at, place);
    refuseGuarded(name?.split("[")[0] ?? "", at, place);
    if (name) arithmetic.assign(name.split("[")[0] ?? "", "number", at, place);
  }
}

/** Only a number certainly is no option with a variable's name in it. */
export function refuseUnlessNumber(
  arithmetic: ShellArithmetic,
  word: CommandArgument | undefined,
  at: Command,
  place: ScriptPosition,
): void {
  const names = word?.type === "Word" ? readNumber(word) : null;
  if (names === null) arithmetic.evaluate(null, at, place);
  for (const name of names ?? []) arithmetic.evaluate(name, at, place);
}
