import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { delimiter, join } from "node:path";

function isScript(path: string): boolean {
  const file = openSync(path, "r");
  const start = Buffer.alloc(2);
  readSync(file, start);
  closeSync(file);
  return start.toString() === "#!";
}

/**
 * The PATH without the directories of version managers: there `python3` is a script, which starts a dozen processes
 * before the interpreter and takes seven times as long as it.
 */
export const PLAIN_PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((directory) => !existsSync(join(directory, "python3")) || !isScript(join(directory, "python3")))
  .join(delimiter);
