import type { Command, ParameterExpansionPart, SyntaxNode } from "unbash";
import type { CommandWord } from "./command-rules.ts";
import { ASSIGNING_BUILTINS, HARMFUL_OPTIONS, hidesSubstitution, isGuardedVariable } from "./shell-builtins.ts";
import { type Place, refuse } from "./shell-place.ts";
import { readWord } from "./shell-words.ts";

export function checkExpansion(node: ParameterExpansionPart, place: Place): void {
  const { operation } = node;
  if (operation?.type === "Unknown") refuse(place, node, "an expansion can't be parsed");
  if (operation?.type === "Transform" && operation.operand.value !== "Q") {
    if (!/^[UuLEAaKk]$/.test(operation.operand.value)) refuse(place, node, "@P evaluates text that can't be checked");
  }
  if (operation?.type === "Default" && operation.operator.includes("=")) refuseGuarded(node.parameter, node, place);
}

/** Builtins that set variables: which ones they set must be plain from the text, and none of the guarded ones. */
export function checkAssigningBuiltin(name: string, args: readonly CommandWord[], at: Command, place: Place): void {
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
  const first = args[0];
  if (first === "-v") return args.slice(1, 2);
  return first?.startsWith("-v") ? [first.slice(2)] : [];
}

export function refuseGuarded(variable: string, at: SyntaxNode, place: Place): void {
  if (isGuardedVariable(variable)) refuse(place, at, `${variable} decides what runs and may not be set`);
}

export function refuseHiddenSubstitution(word: CommandWord, at: SyntaxNode, place: Place): void {
  if (word !== null && hidesSubstitution(word)) refuse(place, at, "a subscript hides a command substitution");
}
