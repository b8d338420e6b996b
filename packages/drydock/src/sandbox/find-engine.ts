import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The engine's program, where the owner's PATH has it. Without one, where the system has its programs. */
export function findEngine(program: string, searchPath: string): string | undefined {
  return (searchPath || SYSTEM_PATH)
    .split(delimiter)
    .filter((directory) => directory.startsWith("/"))
    .map((directory) => join(directory, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
