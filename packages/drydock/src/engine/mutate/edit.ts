/** The kinds of small faults. Each is one change at one position of the syntax tree. */
export const OPERATORS = [
  "arithmetic",
  "assignment",
  "block",
  "boolean",
  "call",
  "chaining",
  "collection",
  "comparison",
  "condition",
  "default",
  "exception",
  "literal",
  "loop",
  "regex",
  "return",
  "slice",
  "statement",
  "string",
  "unary",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** One possible edit of a file. Offsets are in UTF-16 code units, as in the text itself. */
export interface Edit {
  start: number;
  end: number;
  replacement: string;
  /** Of its start; the first line is 1. */
  line: number;
  operator: Operator;
}

/** A file, and the lines in which edits are wanted (both ends included); null: everywhere. */
export interface EditedFile {
  path: string;
  text: string;
  lines: readonly (readonly [from: number, to: number])[] | null;
}
