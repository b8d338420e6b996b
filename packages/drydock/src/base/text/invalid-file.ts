import { DrydockError, type ErrorCode } from "@drydock/protocol";

/** A place in a text. Both are counted from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface FileProblem {
  position: Position | undefined;
  /** The dotted path of the key; empty where it is about the whole file. */
  key: string;
  message: string;
  hint: string;
}

/** What every complaint about a file that people write looks like: file, line, column, key, what is wrong. */
export function fileProblemError(
  code: ErrorCode,
  file: string,
  { position, key, message, hint }: FileProblem,
): DrydockError {
  const where = position ? `${file}:${position.line}:${position.column}` : file;
  const text = key === "" ? `${where}: ${message}` : `${where}: ${key}: ${message}`;
  return new DrydockError(code, text, hint, { file, ...position, key });
}

/** The first problem, with a count of the others; all of them are in its data. */
export function invalidFileError(code: ErrorCode, file: string, problems: readonly FileProblem[]): DrydockError {
  const errors = problems.map((problem) => fileProblemError(code, file, problem));
  const [first, ...others] = errors;
  if (!first) throw new TypeError("A file without problems is not invalid.");
  if (others.length === 0) return first;
  const data = { ...first.data, problems: errors.map(({ message }) => message) };
  return new DrydockError(code, `${first.message} (and ${others.length} more)`, first.hint, data);
}
