import { closeSync, constants, openSync, readSync } from "node:fs";
import { toFilePath } from "./layers/index.ts";

/** Of the repository, its submodules and its other work trees. */
const CONFIG = /^\.git\/(?:.+\/)?config(?:\.worktree)?$/;
const MAX_BYTES = 256 * 1024;

/**
 * A password or token in an address, a header with one, or the key of a certificate. A plain name before the @ is none;
 * a token that takes the place of the name is long.
 */
const CREDENTIALS = /\w:\/\/(?:[^\s/@:]*:[^\s/@]+|[^\s/@]{20,})@|^\s*(?:extraheader|password|token|sslkey)\s*=/im;

/**
 * git works without its configuration, and most configurations are harmless and wanted inside. So a run does not see
 * the ones that hold credentials, and sees all others. One that is too large to be read counts as holding some.
 */
export function holdsGitCredentials(workspace: string, path: string): boolean {
  if (!CONFIG.test(path)) return false;
  try {
    const file = openSync(
      toFilePath(workspace, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const bytes = Buffer.alloc(MAX_BYTES);
      const length = readSync(file, bytes, 0, MAX_BYTES, 0);
      return length === MAX_BYTES || CREDENTIALS.test(bytes.toString("latin1", 0, length));
    } finally {
      closeSync(file);
    }
  } catch {
    return true; // what can't be read here is not shown inside
  }
}
