import { writeFile } from "node:fs/promises";
import { DrydockError } from "@drydock/protocol";

/** Writes what somebody asked for with --out. */
export async function writeOut(path: string, text: string, mode?: number): Promise<void> {
  try {
    await writeFile(path, text, { mode });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

export function cannotWrite(path: string, error: unknown): DrydockError {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = "Give another with --out.";
  return new DrydockError("input.invalid", `${path} can't be written: ${reason}`, hint, {}, error);
}
