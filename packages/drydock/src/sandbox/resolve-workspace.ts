import { realpathSync, statSync } from "node:fs";
import { DrydockError } from "@drydock/protocol";

/** The directory's real path: what is recorded holds wherever it is read, and a link that changes later changes nothing. */
export function resolveWorkspace(path: string): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) throw new Error("it is not a directory");
    return real;
  } catch (error) {
    throw new DrydockError(
      "input.invalid",
      `The workspace ${path} can't be used: ${(error as Error).message}`,
      "Give the path of an existing directory.",
      { workspace: path },
    );
  }
}
