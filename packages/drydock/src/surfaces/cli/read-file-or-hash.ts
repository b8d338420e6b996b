import { readFile } from "node:fs/promises";
import { DrydockError, describeFileError } from "@drydock/protocol";

/** The hash of a head, or the id of a key. */
function isHash(word: string): boolean {
  return /^[0-9a-f]{64}$/i.test(word);
}

/** A word of the command line that is a hash, or else names a file. */
export async function readFileOrHash(word: string): Promise<string> {
  if (isHash(word)) return word;
  try {
    return (await readFile(word)).toString();
  } catch (error) {
    if (!isMissing(error)) throw cannotRead(word, error);
    const hint = "Give the path of a file, or the full 64-digit hash.";
    throw new DrydockError("input.invalid", `${word} is neither a file nor 64 hexadecimal digits.`, hint, {}, error);
  }
}

export async function readInputFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function cannotRead(path: string, error: unknown): DrydockError {
  const reason = describeFileError(error);
  return new DrydockError("input.invalid", `${path} can't be read: ${reason}.`, "Check the path.", {}, error);
}
