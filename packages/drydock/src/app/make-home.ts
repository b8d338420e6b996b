import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DrydockError } from "@drydock/protocol";

/**
 * Makes the directory that holds all state. One level at a time: Node's own recursive way never returns where a directory
 * exists and can't hold another, as in /proc.
 */
export function makeHome(home: string): void {
  const missing: string[] = [];
  for (let path = home; !existsSync(path); path = dirname(path)) missing.unshift(path);
  try {
    for (const path of missing) makeOne(path);
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

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
