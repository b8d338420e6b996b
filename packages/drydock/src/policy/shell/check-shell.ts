import {
  type ArithmeticCommandExpansion,
  type Command,
  type CommandExpansionPart,
  type Function as FunctionNode,
  forEachChild,
  type ParsedScript,
  type ProcessSubstitutionPart,
  parse,
  type Statement,
  type SyntaxNode,
} from "unbash";
import {
  type CommandRules,
  type CommandWord,
  deniesCommand,
  findDenyingRule,
  matchCommand,
  namesCommand,
  permitsEveryCommand,
} from "../rules/command-rules.ts";
import {
  addFunction,
  type Definition,
  isPlainFunction,
  lineAt,
  nestedPosition,
  Refusal,
  refuse,
  type ScriptPosition,
} from "./script-position.ts";
import { createShellArithmetic } from "./shell-arithmetic.ts";
import {
  HARMLESS_BUILTINS,
  HARMLESS_PROGRAMS,
  isBuiltin,
  REFUSED_BUILTINS,
  RUNNING_BUILTINS,
} from "./shell-builtins.ts";
import { checkCalculatingBuiltin } from "./shell-calculating.ts";
import { checkModes } from "./shell-modes.ts";
import {
  checkAssigningBuiltin,
  checkExpansion,
  checkVariables,
  refuseHiddenSubstitution,
  refuseQuotedSubstitution,
} from "./shell-variables.ts";
import { readArgument, readWord } from "./shell-words.ts";
import { unwrapCommand } from "./shell-wrappers.ts";

export type ShellCheck = { ok: true } | { ok: false; command: string; line: number; reason: string; rule?: string };

const MAX_SCRIPT_LENGTH = 1024 * 1024;
const MAX_VISITS = 500_000;
const MAX_DEPTH = 8;

/**
 * Tells whether every program that a bash script can start is on the list and none of them is denied. It is a courtesy
 * to the author of the script, an error before anything runs; the sandbox is what enforces. So whatever can't be
 * decided from the text alone (a name that is computed, text that is evaluated) is refused.
 */
export function checkShell(rules: CommandRules, script: string): ShellCheck {
  try {
    if (script.length > MAX_SCRIPT_LENGTH) throw new Refusal("", 1, "the script is too long to be checked");
    if (script.includes("\0")) throw new Refusal("", 1, "the script holds a NUL byte");
    const checker = createChecker(rules);
    checker.checkText(script, { scope: new Map(), source: script, depth: 0 });
    // Where every command is allowed there is nothing that a calculation could run beyond the list.
    if (!permitsEveryCommand(rules)) checker.settle();
    return { ok: true };
  } catch (error) {
    if (error instanceof Refusal) {
      const { command, line, message: reason, rule } = error;
      return { ok: false, command, line, reason, ...(rule !== undefined && { rule }) };
    }
    if (error instanceof RangeError) {
      return { ok: false, command: "", line: 1, reason: "the script is nested too deeply to be checked" };
    }
    throw error;
  }
}

function createChecker({ allow, deny }: CommandRules) {
  let visits = 0;
  const arithmetic = createShellArithmetic();
  /** Bodies that were checked, by the functions that existed where they were called. */
  const checkedBodies = new Map<FunctionNode, Set<string>>();

  function checkText(text: string, place: ScriptPosition): void {
    if (place.depth > MAX_DEPTH) refuse(place, { pos: 0, end: 0 }, "text is evaluated within text too many times");
    checkScript(parse(text), place);
  }

  function checkScript(script: ParsedScript, place: ScriptPosition): void {
    const error = script.errors?.[0];
    if (error) refuse(place, { pos: error.pos, end: error.pos }, `the script can't be parsed: ${error.message}`);
    checkStatements(script.commands, place);
  }

  /**
   * A function counts only after its definition, in the same list of statements or below it. Elsewhere (in another
   * branch, in a subshell that has ended) the name may still be that of a program. Its body is checked wherever it is
   * called, with the functions that exist there, and once more at the end of the list.
   */
  function checkStatements(statements: readonly Statement[], place: ScriptPosition): void {
    let scope = place.scope;
    for (const statement of statements) {
      const node = statement.command;
      const isDefinition = node.type === "Function" && !statement.background && isPlainFunction(node);
      if (isDefinition) scope = addFunction(scope, node, place);
      if (!isDefinition || isOtherwiseAllowed(node.name.value)) visit(statement, { ...place, scope });
    }
    const added = [...scope.values()].flat().filter(({ place: at }) => at === place);
    checkBodies(added, { ...place, scope });
  }

  /** Such a name passes even where its function is not known to exist, so its body can't count on other functions. */
  function isOtherwiseAllowed(name: string): boolean {
    return isBuiltin(name) || HARMLESS_PROGRAMS.has(name) || namesCommand(allow, name);
  }

  function visit(node: SyntaxNode, place: ScriptPosition): void {
    if (++visits > MAX_VISITS) refuse(place, node, "the script is too long to be checked");
    switch (node.type) {
      case "Script":
        checkScript(node, place);
        return;
      case "Function":
        visit(node.body, { ...place, scope: addFunction(place.scope, node, place) });
        return;
      case "CompoundList":
        checkStatements(node.commands, place);
        return;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        checkSubstitution(node, place);
        if (node.type === "ArithmeticCommandExpansion") arithmetic.evaluate(null, node, place);
        return;
      case "Command":
        checkSimpleCommand(node, place);
        break;
      case "ParameterExpansion":
        checkExpansion(node, place);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        refuseQuotedSubstitution(node, place);
        break;
    }
    checkVariables(arithmetic, node, place);
    const isQuoting = node.type === "DoubleQuoted" || node.type === "LocaleString" || node.type === "HereDocBody";
    const inner = isQuoting ? { ...place, isQuoted: true } : place;
    forEachChild(node, (child) => visit(child, inner));
  }

  function checkSubstitution(
    node: CommandExpansionPart | ProcessSubstitutionPart | ArithmeticCommandExpansion,
    place: ScriptPosition,
  ): void {
    const { script } = node;
    if (!script) refuse(place, node, "a substitution can't be parsed");
    // Back-ticks with escapes hold a text of their own, in which positions start anew.
    const text = script.source === undefined ? {} : { source: script.source, line: lineAt(place, node.pos) };
    checkScript(script, { ...place, ...text, isQuoted: false });
  }

  function checkSimpleCommand(command: Command, place: ScriptPosition): void {
    if (!command.name) return;
    const argv = [readWord(command.name), ...command.args.map(readArgument)];
    checkArgv(argv, command, place, "shell");
  }

  /** `shell` looks names up as bash does; `plain` without functions, as `command` does; `program` for what a program starts. */
  function checkArgv(
    argv: readonly CommandWord[],
    at: Command,
    place: ScriptPosition,
    lookup: "shell" | "plain" | "program",
  ): void {
    const [name, ...args] = argv;
    if (name === undefined || name === null) refuse(place, at, "the name of the command is not literal");
    const bodies = lookup === "shell" ? place.scope.get(name) : undefined;
    if (bodies) checkBodies(bodies, place);
    else if (deniesCommand(deny, argv))
      refuse(place, at, "the policy denies the command", argv, findDenyingRule(deny, argv));
    else if (lookup === "program") checkProgram(name, argv, at, place);
    else if (RUNNING_BUILTINS.has(name)) checkRunningBuiltin(name, args, at, place);
    else if (REFUSED_BUILTINS.has(name)) refuse(place, at, `${name} can change what a name means`, argv);
    else if (HARMLESS_BUILTINS.has(name)) checkBuiltin(name, args, at, place);
    else checkProgram(name, argv, at, place);
  }

  function checkProgram(name: string, argv: readonly CommandWord[], at: Command, place: ScriptPosition): void {
    if (HARMLESS_PROGRAMS.has(name)) return;
    if (!matchCommand(allow, argv)) refuse(place, at, "the command is not on the policy's list", argv);
    const unwrapped = unwrapCommand(argv);
    if (unwrapped.kind === "unclear") refuse(place, at, unwrapped.reason, argv);
    if (unwrapped.kind === "inner") checkArgv(unwrapped.argv, at, place, "program");
  }

  function checkBodies(definitions: readonly Definition[], { scope }: ScriptPosition): void {
    const names = [...scope].map(([name, bodies]) => `${name}:${bodies.length}`).join(" ");
    for (const { node, place } of definitions) {
      const seen = checkedBodies.get(node) ?? new Set<string>();
      if (seen.has(names)) continue;
      checkedBodies.set(node, seen.add(names));
      visit(node.body, { ...place, scope });
    }
  }

  function checkRunningBuiltin(name: string, args: readonly CommandWord[], at: Command, place: ScriptPosition): void {
    const argv = [name, ...args];
    if (name === "eval") {
      if (args.includes(null)) refuse(place, at, "eval runs text that is not literal", argv);
      const text = args.join(" ").replace(/^--(\s|$)/, "");
      checkText(text, nestedPosition(text, at, place));
    } else if (name === "source" || name === ".") {
      // The word names a file, which may be any: a command of that name says nothing about it.
      if (args.includes(null) || !matchCommand(allow, argv))
        refuse(place, at, `${name} runs a file that is not on the policy's list`, argv);
    } else if (name !== "command" || !/^-[vV]$/.test(args[0] ?? "")) {
      const inner = skipOptions(name, args);
      if (!inner) refuse(place, at, `${name} has words before its command that can't be checked`, argv);
      if (inner.length > 0) checkArgv(inner, at, place, name === "exec" ? "program" : "plain");
    }
  }

  function checkBuiltin(name: string, args: readonly CommandWord[], at: Command, place: ScriptPosition): void {
    for (const word of args) refuseHiddenSubstitution(word, at, place);
    if (name === "trap") checkTrap(args, at, place);
    else checkAssigningBuiltin(name, args, at, place);
    checkModes(name, args, at, place);
    checkCalculatingBuiltin(arithmetic, name, args, at, place);
  }

  /** What a trap runs is text: it has to be literal, and is checked like the script. */
  function checkTrap(args: readonly CommandWord[], at: Command, place: ScriptPosition): void {
    const words = args[0] === "--" ? args.slice(1) : args;
    const action = words[0];
    if (words.includes(null)) refuse(place, at, "trap has a word that is not literal", ["trap", ...args]);
    // A single word is a signal whose trap is reset; `-p` and `-l` only show.
    if (!action || words.length === 1 || /^-[pl]?$/.test(action)) return;
    checkText(action, nestedPosition(action, at, place));
  }

  return { checkText, settle: arithmetic.settle };
}

/** The words after the options of `command`, `builtin` and `exec`; undefined where they are not plain. */
function skipOptions(name: string, args: readonly CommandWord[]): readonly CommandWord[] | undefined {
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index];
    if (word === null || word === undefined) return undefined;
    if (word === "--") return args.slice(index + 1);
    if (!word.startsWith("-")) break;
    if (name === "command" && word === "-p") continue;
    if (name === "exec" && /^-[cl]+$/.test(word)) continue;
    if (name === "exec" && word === "-a" && typeof args[index + 1] === "string") index++;
    else return undefined;
  }
  return args.slice(index);
}
