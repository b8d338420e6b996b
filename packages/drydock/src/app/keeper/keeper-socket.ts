import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";

/** The kernel's limit for the path of a unix socket, without the final NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

const SOCKET_NAME = "keeper.sock";
export const LOCK_NAME = "keeper.lock";

export interface SocketAddress {
  /** What to bind or connect to. */
  path: string;
  /** Gives up what the path needs; not before it has been used. */
  release(): void;
}

/**
 * Where the keeper of a home listens: always in the home itself, so that everybody who names the home finds it. A path
 * that is too long for the kernel is reached by way of an open descriptor of the home.
 */
export function openSocketAddress(home: string): SocketAddress {
  const path = join(home, SOCKET_NAME);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, release() {} };
  const descriptor = openSync(home, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${descriptor}/${SOCKET_NAME}`, release: () => closeSync(descriptor) };
}
