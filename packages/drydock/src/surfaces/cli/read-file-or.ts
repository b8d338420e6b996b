import { readFile } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";

/** The hash of a head, or the id of a key. */
export function isHash(word: string): boolean {
  return /^[0-9a-f]{64}$/i.test(word);
}

/** A word of the command line that means itself, or else names a file. */
export async function readFileOr(word: string, meansItself: (word: string) => boolean): Promise<string> {
  return meansItself(word) ? word : (await readInputFile(word)).toString();
}

export async function readInputFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DrydockError("input.invalid", `${path} can't be read: ${reason}.`, "Check the path.", {}, error);
  }
}
