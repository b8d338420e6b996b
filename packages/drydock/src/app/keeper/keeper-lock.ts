import { join } from "node:path";
import { tryFileLock } from "../../base/locks/index.ts";
import { LOCK_NAME } from "./keeper-socket.ts";

/** Null if another keeper lives. For the holder of the lock, any socket in the home is a dead keeper's. */
export function tryKeeperLock(home: string): Disposable | null {
  return tryFileLock(join(home, LOCK_NAME));
}
