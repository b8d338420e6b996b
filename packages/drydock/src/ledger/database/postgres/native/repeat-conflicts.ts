import { setTimeout as sleep } from "node:timers/promises";
import { isConflict } from "../failure.ts";

/** Before each further attempt. */
const WAITS_MS = [5, 20, 80, 320];

export async function repeatConflicts<T>(transact: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await transact();
    } catch (error) {
      if (!isConflict(error)) throw error;
      await sleep(waitMs);
    }
  }
  return transact();
}
