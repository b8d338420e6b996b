import type { CommandArgument } from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import type { BuiltinCall } from "./builtin-call.ts";
import { readNumber } from "./shell-numbers.ts";
import { evaluateName } from "./shell-variables.ts";

/** Not `-a` and `-o`: they join two tests. */
const UNARY = /^-(?![ao])[a-zA-Z]$/;
const BINARY = /^(={1,2}|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/**
 * `test` compares numbers without evaluating them. But `-v NAME` evaluates the subscript of the name, and a word that is
 * not literal may become `-v`, or several words. So each such word has to be one word beside an operator that is literal.
 */
export function checkTest({ arithmetic, args, words, at, place }: BuiltinCall): void {
  for (const [index, word] of args.entries()) {
    const before = args[index - 1];
    if (before === "-v" || before === "-R") evaluateName(arithmetic, word, at, place);
    if (word !== null) continue;
    const isOperand =
      UNARY.test(before ?? "") ||
      BINARY.test(before ?? "") ||
      BINARY.test(args[index + 1] ?? "") ||
      isAlone(args, index);
    if (isOperand && isOneWord(words[index])) continue;
    const names = readPlainNumber(words[index]);
    if (names === null) arithmetic.evaluate(null, at, place);
    for (const name of names ?? []) arithmetic.evaluate(name, at, place);
  }
}

/** The only operand: it is compared with nothing. */
function isAlone(args: readonly CommandWord[], index: number): boolean {
  const others = args.filter((word, at) => at !== index && word !== "!" && word !== "]");
  return others.length === 0;
}

function readPlainNumber(word: CommandArgument | undefined): readonly string[] | null {
  return word?.type === "Word" ? readNumber(word) : null;
}

/** In double quotes an expansion stays one word, unless it stands for all arguments. */
function isOneWord(word: CommandArgument | undefined): boolean {
  if (word?.type !== "Word") return false;
  return (word.parts ?? []).every((part) => {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return true;
    return part.type === "DoubleQuoted" && !/\$@|\$\{@|\[@\]|\$\{![A-Za-z_]\w*@/.test(part.text);
  });
}
