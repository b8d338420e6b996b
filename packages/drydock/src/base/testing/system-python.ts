import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A version manager puts a script in the place of the interpreter, which takes several times the interpreter's start. */
function isScript(path: string): boolean {
  const file = openSync(path, "r");
  const start = Buffer.alloc(2);
  readSync(file, start);
  closeSync(file);
  return start.toString() === "#!";
}

/** The first `python3` of the PATH that is the interpreter itself. */
export const SYSTEM_PYTHON =
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((directory) => join(directory, "python3"))
    .find((path) => existsSync(path) && !isScript(path)) ?? "python3";
