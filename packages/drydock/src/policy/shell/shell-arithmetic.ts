import type { SyntaxNode, Word } from "unbash";
import { refuse, type ScriptPosition } from "./script-position.ts";
import { isGuardedVariable } from "./shell-builtins.ts";
import { readExpression, readNumber } from "./shell-numbers.ts";
import { readWord } from "./shell-words.ts";

/**
 * Bash evaluates the value of a variable as an expression wherever it wants a number, and runs the command substitutions
 * in it: `x='a[$(cmd)]'; echo $((x))`. So a script that is held to a list may calculate only with variables that hold
 * numbers, which way it ever takes. All assignments of the script together tell which ones do.
 */
export interface ShellArithmetic {
  /** The variable gets this value; `null` is one that only running the script would tell. */
  assign(name: string, value: Word | "number" | null, at: SyntaxNode, place: ScriptPosition): void;
  /** The text is evaluated as an expression; `null` is one that only running the script would tell. */
  evaluate(text: string | null, at: SyntaxNode, place: ScriptPosition): void;
  /** The variable is an array: a declaration that gives it text may take the text for a list with subscripts. */
  markArray(name: string): void;
  declare(name: string, value: Word, at: SyntaxNode, place: ScriptPosition): void;
  /** Refuses the first expression in which there may be anything but numbers. */
  settle(): void;
}

interface Evaluation {
  names: readonly string[] | null;
  at: SyntaxNode;
  place: ScriptPosition;
}

/** Bash's own variables that are numbers. It evaluates what is assigned to some of them. */
const NUMBERS: ReadonlySet<string> = new Set(
  [
    "RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID BASH_SUBSHELL OPTIND OPTERR EPOCHSECONDS SHLVL COLUMNS LINES",
    "PIPESTATUS HISTCMD",
  ].flatMap((line) => line.split(" ")),
);

/** Bash's own variables that hold text: a line that was read, a file's name, a part of the script. */
const TEXTS =
  /^(_|BASH.*|COMP.*|READLINE_.*|PS\d|REPLY|MAPFILE|OPTARG|COPROC|PWD|OLDPWD|DIRSTACK|FUNCNAME|GROUPS|HOST.*|IFS|MACHTYPE|OSTYPE|SHELL|SHELLOPTS|TIMEFORMAT|HOME|PATH|USER|LOGNAME|LANG|LC_.*|TERM)$/;

const ADVICE = 'compare with `[ … ]`, or make a number of it first: `printf -v NAME %d "$TEXT"`';

export function createShellArithmetic(): ShellArithmetic {
  /** Of each variable: those whose values it may take over. Null where it may hold any text. */
  const sources = new Map<string, Set<string> | null>();
  const evaluations: Evaluation[] = [];
  const arrays = new Set<string>();
  const declarations: { name: string; at: SyntaxNode; place: ScriptPosition }[] = [];
  return {
    assign(name, value, at, place) {
      const names = value === "number" ? [] : value && readNumber(value);
      const known = sources.get(name);
      sources.set(name, names === null || known === null ? null : new Set([...(known ?? []), ...names]));
      if (NUMBERS.has(name)) evaluations.push({ names: [name], at, place });
    },
    evaluate(text, at, place) {
      evaluations.push({ names: text === null ? null : readExpression(text), at, place });
    },
    markArray: (name) => void arrays.add(name),
    declare(name, value, at, place) {
      const isPlain = readNumber(value)?.length === 0 || /^[^(]/.test(readWord(value) ?? "(");
      if (!isPlain) declarations.push({ name, at, place });
    },
    settle() {
      const taken = declarations.find(({ name }) => arrays.has(name));
      if (taken)
        refuse(taken.place, taken.at, `${taken.name} is an array, and text that is not plain may set its subscripts`);
      const texts = findTexts(sources);
      for (const { names, at, place } of evaluations) {
        if (names === null) refuse(place, at, `an expression is not plain: ${ADVICE}`);
        for (const name of names) {
          if (isGuardedVariable(name)) refuse(place, at, `${name} decides what runs and may not be set`);
          if (texts(name)) refuse(place, at, `${name} may hold text that an expression would run: ${ADVICE}`);
        }
      }
    },
  };
}

/** Tells of a variable whether it may hold anything but a number, itself or through those that it takes over. */
function findTexts(sources: ReadonlyMap<string, ReadonlySet<string> | null>): (name: string) => boolean {
  const found = new Set<string>();
  const isText = (name: string) =>
    found.has(name) || sources.get(name) === null || (TEXTS.test(name) && !NUMBERS.has(name));
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [name, names] of sources) if (names === null || [...names].some(isText)) found.add(name);
  }
  return isText;
}
