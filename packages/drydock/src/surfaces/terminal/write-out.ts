import { stat, writeFile } from "node:fs/promises";
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

/** `option`: the option that named the path. */
export function writeFailedError(path: string, error: unknown, option = "--out"): DrydockError {
  const reason = typeof error === "string" ? error : describeFileError(error);
  return new DrydockError(
    "input.invalid",
    `${path} can't be written: ${reason}.`,
    `Give another place with ${option}.`,
    {},
    typeof error === "string" ? undefined : error,
  );
}
