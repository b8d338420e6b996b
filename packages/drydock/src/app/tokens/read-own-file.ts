import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { DrydockError, describeFileError } from "@drydock/protocol";
import type * as z from "zod";
import { parseJson } from "../../base/text/index.ts";

export const MAX_OWN_FILE_BYTES = 1024 * 1024;

/** How a file of the owner's is named in errors. */
interface OwnFile {
  path: string;
  /** What it holds, such as `tokens`. */
  what: string;
  /** What to do where it was damaged. */
  again: string;
}

/**
 * A JSON file that decides who may come in. It must be the owner's own, and nobody else's to change. Read anew each time:
 * what was taken out of it a moment ago opens nothing. Null where there is none.
 */
export function readOwnFile<T extends z.ZodType>(schema: T, file: OwnFile): z.output<T> | null {
  let descriptor: number;
  try {
    descriptor = openSync(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    // A link is not followed, which the system reports as a loop.
    if (code === "ELOOP") throw unusable(file, "it is a symbolic link", `Restore it from a backup, or ${file.again}.`);
    const hint = `Make it readable for you (chown, chmod 600), or ${file.again}.`;
    throw unusable(file, `it can't be opened: ${describeFileError(error)}`, hint);
  }
  try {
    const { mode, size, uid } = fstatSync(descriptor);
    const restore = `Restore it from a backup, or ${file.again}.`;
    if (size > MAX_OWN_FILE_BYTES)
      throw unusable(file, `it is larger than ${MAX_OWN_FILE_BYTES / 1024 / 1024} MB`, restore);
    // A user who can write it could add an entry.
    if ((mode & 0o022) !== 0 || uid !== process.getuid?.()) {
      throw unusable(file, "others can change it", `Make it yours alone (chown, chmod 600), or ${file.again}.`);
    }
    const read = schema.safeParse(parseJson(readFileSync(descriptor, "utf8")));
    if (!read.success) throw unusable(file, `it is not a list of ${file.what}`, restore);
    return read.data;
  } finally {
    closeSync(descriptor);
  }
}

function unusable({ path, what }: OwnFile, reason: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", `The ${what} in ${path} can't be used: ${reason}.`, hint, { file: path });
}
