import { existsSync } from "node:fs";
import { access, constants, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { DrydockError, describeFileError } from "@drydock/protocol";

/** Writes the file that `--out` names. */
export async function writeOut(path: string, text: string, mode?: number): Promise<void> {
  try {
    await writeFile(path, text, { mode });
  } catch (error) {
    throw writeFailedError(path, error);
  }
}

/** Before work of minutes: whether its result can be put there. */
export async function refuseUnwritable(path: string): Promise<void> {
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isDirectory) throw writeFailedError(path, "it is a directory");
  try {
    if (!(await stat(dirname(path))).isDirectory()) throw writeFailedError(path, `${dirname(path)} is not a directory`);
  } catch (error) {
    if (error instanceof DrydockError) throw error;
    throw writeFailedError(path, `there is no directory ${dirname(path)}`);
  }
}

/** Before work of minutes: makes the directory for its files, which must take some. */
export async function prepareDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found && !found.isDirectory()) throw writeFailedError(path, "it is not a directory");
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeFailedError(path, error);
  }
}

/** `option`: the option that named the path. */
export function writeFailedError(path: string, error: unknown, option = "--out"): DrydockError {
  const reason = typeof error === "string" ? error : describeFailure(path, error);
  return new DrydockError(
    "input.invalid",
    `${path} can't be written: ${reason}.`,
    `Give another place with ${option}.`,
    {},
    typeof error === "string" ? undefined : error,
  );
}

/** Of a file that is to be made, it is never the file that is missing. */
function describeFailure(path: string, error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && !existsSync(dirname(path));
  return isMissing ? `there is no directory ${dirname(path)}` : describeFileError(error);
}
