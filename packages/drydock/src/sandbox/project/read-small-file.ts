import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * The beginning of a plain file; null where it is none. A link is not followed, and a pipe is not waited for: an
 * untrusted workspace may have either.
 */
export function readSmallFile(path: string, bytes: number): string | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return null;
    const buffer = Buffer.alloc(bytes);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, bytes, 0));
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}
