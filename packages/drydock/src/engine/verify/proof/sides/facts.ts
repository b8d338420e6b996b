/** A name that an expression reads or calls, `lib.slow(1)` as its dotted parts, with the names in its arguments. */
export interface Term {
  parts: string[];
  called: boolean;
  args: Term[];
}

/** A literal has no terms. Files that are read by name are terms as well: see `dataTerm`. */
export type Expression = Term[];

/** One thing that a file does with names. `scope` is the function around it, dotted from the outside; "" is the file. */
export type Fact =
  /** `loop`: the names get the elements of the value, one after the other. */
  | { kind: "assign"; scope: string; targets: string[]; value: Expression; loop: boolean }
  /** `firm`: it is part of an assertion. By habit, the left side is what is tried out. */
  | { kind: "compare"; scope: string; left: Expression; right: Expression; firm: boolean }
  /** Something that is asserted by itself. */
  | { kind: "holds"; scope: string; value: Expression }
  /** `statement`: the return value is not used. */
  | { kind: "call"; scope: string; callee: string[]; args: Expression[]; statement: boolean }
  /** A base class of a class with tests, or a decorator of a test. */
  | { kind: "supports"; scope: string; value: Expression };

export interface ImportedName {
  /** The name in this file; dotted for Python's `import a.b`. */
  local: string;
  /** As it is written; Python's relative ones begin with dots. */
  specifier: string;
  /** What is imported of the module; null: the module itself. */
  name: string | null;
}

/** What a file that judges does with what it imports. */
export interface FileFacts {
  imports: ImportedName[];
  /** Parameters of the functions that the file defines; one that is taken apart is its names, with spaces between. */
  functions: Record<string, string[]>;
  facts: Fact[];
}

export const DATA_MARK = "#data:";

/** Stands for the content of a file that is read; the path is "" where the text does not say it. */
export function dataTerm(path: string): Term {
  return { parts: [`${DATA_MARK}${path}`], called: false, args: [] };
}

/** Stands for whatever a function of the file is called with. */
export function parameterTerm(name: string, parameter: string): Term {
  return { parts: [`#parameter:${name}:${parameter}`], called: false, args: [] };
}
