import { createHash, hash } from "node:crypto";
import { close, closeSync, constants, fstatSync, open, openSync, read, readSync, type Stats } from "node:fs";

/** `gone`: no regular file is at this path any more. */
export type HashOutcome = { outcome: "hashed"; sha256: string } | { outcome: "unreadable" } | { outcome: "gone" };

// A name may turn into a symlink or a pipe between its listing and its opening: neither is followed nor waited for.
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const GONE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "ENODEV"]);
const UNREADABLE = new Set(["EACCES", "EPERM", "EIO"]);

/** Files below this size are read in one go. */
export const SMALL_BYTES = 16 * 1024;

/** `stat` is that of the file that was read. */
export interface HashedAtOnce {
  sha256: string;
  stat: Stats;
}

/**
 * At once, where the whole file is smaller than the buffer: for one that the system has at hand, waiting costs several
 * times what reading does. Null if that fails: then `hashFile` reports why.
 */
export function hashAtOnce(path: string | Buffer, buffer: Buffer): HashedAtOnce | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size >= buffer.length) return null;
    const length = readSync(descriptor, buffer, 0, buffer.length, null);
    return length === stat.size ? { sha256: hash("sha256", buffer.subarray(0, length)), stat } : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads through the passed buffer, so that a file of any size costs no memory of its own. */
export function hashFile(path: string | Buffer, buffer: Buffer, signal?: AbortSignal): Promise<HashOutcome> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      if (GONE.has(error.code ?? "")) resolve({ outcome: "gone" });
      else if (UNREADABLE.has(error.code ?? "")) resolve({ outcome: "unreadable" });
      else reject(error);
    };
    open(path, OPEN_FLAGS, (openError, descriptor) => {
      if (openError) return fail(openError);
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return close(descriptor, () => resolve({ outcome: "gone" }));
      readAll(descriptor, stat.size, { buffer, signal }, (readError, sha256) => {
        closeSync(descriptor);
        if (readError) fail(readError);
        else resolve({ outcome: "hashed", sha256 });
      });
    });
  });
}

function readAll(
  descriptor: number,
  size: number,
  { buffer, signal }: { buffer: Buffer; signal?: AbortSignal },
  done: (error: NodeJS.ErrnoException | null, sha256: string) => void,
): void {
  let digest: ReturnType<typeof createHash> | undefined;
  let total = 0;
  const next = () =>
    read(descriptor, buffer, 0, buffer.length, null, (error, length) => {
      if (error) return done(error, "");
      if (signal?.aborted) return done(signal.reason, "");
      const bytes = buffer.subarray(0, length);
      total += length;
      // The usual file fits the buffer at once: a second read, only to see the end, would double the cost.
      if (digest === undefined && length < buffer.length && total === size) return done(null, hash("sha256", bytes));
      digest ??= createHash("sha256");
      if (length === 0) return done(null, digest.digest("hex"));
      digest.update(bytes);
      next();
    });
  next();
}
