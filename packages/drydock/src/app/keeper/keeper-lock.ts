import { join } from "node:path";
import { tryFileLock } from "../../base/locks/index.ts";
import { LOCK_NAME } from "./keeper-socket.ts";

/** Null where another keeper lives. Whoever holds it knows that a socket it finds in the home is a dead keeper's. */
export function tryKeeperLock(home: string): Disposable | null {
  return tryFileLock(join(home, LOCK_NAME));
}
