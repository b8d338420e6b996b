import type {
  AnsiCQuotedPart,
  Assignment,
  Command,
  ParameterExpansionPart,
  SingleQuotedPart,
  SyntaxNode,
} from "unbash";
import type { CommandWord } from "../rules/command-rules.ts";
import { refuse, type ScriptPosition } from "./script-position.ts";
import type { ShellArithmetic } from "./shell-arithmetic.ts";
import { ASSIGNING_BUILTINS, HARMFUL_OPTIONS, hidesSubstitution, isGuardedVariable } from "./shell-builtins.ts";
import { separateOptions } from "./shell-options.ts";
import { readWord } from "./shell-words.ts";

export function checkExpansion(node: ParameterExpansionPart, place: ScriptPosition): void {
  const { operation } = node;
  if (operation?.type === "Unknown") refuse(place, node, "an expansion can't be parsed");
  if (operation?.type === "Transform" && operation.operand.value !== "Q") {
    if (!/^[UuLEAaKk]$/.test(operation.operand.value)) refuse(place, node, "@P evaluates text that can't be checked");
  }
  if (operation?.type === "Default" && operation.operator.includes("=")) refuseGuarded(node.parameter, node, place);
}

const NUMBER_COMPARISON = /^-(eq|ne|lt|le|gt|ge)$/;

/** What a node sets, and what it evaluates as an expression. */
export function checkVariables(arithmetic: ShellArithmetic, node: SyntaxNode, place: ScriptPosition): void {
  switch (node.type) {
    case "ArithmeticWord":
      arithmetic.evaluate(node.value, node, place);
      break;
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      if (!node.expression && !/^(\$?\(\(\s*\)\)|\$\[\s*\])$/.test(place.source.slice(node.pos, node.end)))
        arithmetic.evaluate(null, node, place);
      break;
    case "Assignment":
      refuseGuarded(node.name, node, place);
      checkAssignment(arithmetic, node, place);
      break;
    case "For":
    case "Select":
      refuseGuarded(node.name.value, node.name, place);
      if (!node.wordlist) arithmetic.assign(node.name.value, null, node.name, place);
      for (const word of node.wordlist ?? []) arithmetic.assign(node.name.value, word, node.name, place);
      break;
    case "Coproc":
    case "FileDescriptorVariable": {
      const name = (typeof node.name === "string" ? node.name : node.name?.value) ?? "COPROC";
      const [variable = "", subscript] = name.split(/\[(.*)\]$/s);
      refuseGuarded(variable, node, place);
      arithmetic.assign(variable, "number", node, place);
      if (subscript !== undefined) arithmetic.evaluate(subscript, node, place);
      break;
    }
    case "TestBinary":
      if (!NUMBER_COMPARISON.test(node.operator)) break;
      for (const word of [node.left, node.right]) arithmetic.evaluate(readWord(word) ?? word.text, word, place);
      break;
    case "TestUnary":
      if (/^-[vR]$/.test(node.operator)) evaluateName(arithmetic, node.operand.text, node, place);
      break;
    case "ParameterExpansion":
      evaluateExpansion(arithmetic, node, place);
      break;
  }
}

function checkAssignment(arithmetic: ShellArithmetic, node: Assignment, place: ScriptPosition): void {
  const { name, value, index } = node;
  if (index) arithmetic.evaluate(index.text, node, place);
  if (index || value.type === "ArrayValue") arithmetic.markArray(name);
  for (const word of value.type === "Word" ? [value] : value.elements) {
    refuseHiddenSubstitution(readWord(word), node, place);
    const subscript = value.type === "Word" ? null : /^\[(.*)\]\+?=/s.exec(word.text);
    if (subscript) arithmetic.evaluate(subscript[1] ?? null, node, place);
    arithmetic.assign(name, subscript ? null : word, node, place);
  }
}

function evaluateExpansion(arithmetic: ShellArithmetic, node: ParameterExpansionPart, place: ScriptPosition): void {
  const { operation, index, prefix, parameter } = node;
  const isWhole = index !== undefined && /^[@*]$/.test(index.text);
  if (index && !isWhole) arithmetic.evaluate(index.text, node, place);
  // The value is the name of another variable, with a subscript that may be any text.
  if (prefix === "!" && !isWhole && operation?.type !== "Names") arithmetic.evaluate(null, node, place);
  if (operation?.type === "Slice") {
    arithmetic.evaluate(operation.offset.text, node, place);
    if (operation.length) arithmetic.evaluate(operation.length.text, node, place);
  }
  if (operation?.type === "Default" && operation.operator.includes("="))
    arithmetic.assign(parameter, operation.operand, node, place);
}

/** A name in a text, with the subscript that bash would evaluate. */
export function evaluateName(
  arithmetic: ShellArithmetic,
  text: string | null,
  at: SyntaxNode,
  place: ScriptPosition,
): void {
  const name = text === null ? null : /^[A-Za-z_]\w*(?:\[(.*)\])?$/s.exec(text);
  if (!name) arithmetic.evaluate(null, at, place);
  else if (name[1] !== undefined && !/^[@*]$/.test(name[1])) arithmetic.evaluate(name[1], at, place);
}

/** Builtins that set variables: which ones they set must be plain from the text, and none of the guarded ones. */
export function checkAssigningBuiltin(
  name: string,
  argv: readonly CommandWord[],
  at: Command,
  place: ScriptPosition,
): void {
  const args = separateOptions(name, argv, at, place);
  if (!ASSIGNING_BUILTINS.has(name)) return;
  // What follows the second word of getopts is what it reads, not what it sets.
  const words = name === "getopts" ? at.args.slice(0, 2) : at.args;
  const hasUnclearName = words.some((argument) => argument.type === "Word" && readWord(argument) === null);
  if (name !== "printf" && hasUnclearName) {
    refuse(place, at, `${name} has a variable's name that is not literal`, [name, ...args]);
  }
  for (const word of name === "printf" ? readPrintfTarget(args) : args) {
    const variable = word?.split(/[+=[]/)[0] ?? "";
    refuseGuarded(variable, at, place);
    if (name === "unset" && place.scope.has(variable)) refuse(place, at, "unset may not remove a function");
  }
  const options = args.filter((word) => word?.startsWith("-")).join(" ");
  const harm = HARMFUL_OPTIONS.get(name);
  if (harm?.test(options)) refuse(place, at, `${name} ${options} changes what a name means, or runs a command`);
}

function readPrintfTarget(args: readonly CommandWord[]): readonly CommandWord[] {
  return args.filter((_, index) => args[index - 1] === "-v");
}

export function refuseGuarded(variable: string, at: SyntaxNode, place: ScriptPosition): void {
  if (isGuardedVariable(variable)) refuse(place, at, `${variable} decides what runs and may not be set`);
}

/**
 * In an expansion within double quotes or a here-document, single quotes may quote nothing: `"${x:-'$(cmd)'}"`. Bash
 * reads what `$'…'` stands for once more there.
 */
export function refuseQuotedSubstitution(node: SingleQuotedPart | AnsiCQuotedPart, place: ScriptPosition): void {
  const raw = node.type === "AnsiCQuoted" ? node.text.slice(1) : node.text;
  if (place.isQuoted && (/[$`]/.test(raw) || /[$`\\]/.test(node.value)))
    refuse(place, node, "single quotes within double quotes or a here-document may hide a substitution");
}

export function refuseHiddenSubstitution(word: CommandWord, at: SyntaxNode, place: ScriptPosition): void {
  if (word !== null && hidesSubstitution(word)) refuse(place, at, "a subscript hides a command substitution");
}
