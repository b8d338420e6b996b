import { DrydockError } from "@drydock/protocol";
import { makeDirectories } from "../base/files/index.ts";

/** Makes the directory that holds all state. */
export function makeHome(home: string): void {
  try {
    makeDirectories(home);
  } catch (cause) {
    throw new DrydockError(
      "ledger.unavailable",
      `The directory ${home}, where Drydock keeps its state, can't be made: ${(cause as Error).message}`,
      "Set DRYDOCK_HOME to a directory that can be written.",
      { home },
      cause,
    );
  }
}
