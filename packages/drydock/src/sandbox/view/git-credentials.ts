import { closeSync, constants, openSync, readSync } from "node:fs";
import { toFilePath } from "../layers/index.ts";

/** Of a repository at any depth, with or without a work tree, of its submodules and its other work trees. */
const CONFIG = /(?:^|\/)[^/]*\.git\/(?:.+\/)?config(?:\.worktree)?$/;
const MAX_BYTES = 256 * 1024;

/** Of the web anything before the @ may be a token. Elsewhere, as with ssh, a short name alone is none. */
const IN_ADDRESS = /(?:https?|ftps?):\/\/[^\r\n/@]+@|\w:\/\/(?:[^\r\n/@:]*:[^\r\n/@]+|[^\s/@]{20,})@/i;
/** Settings whose value is a credential, also behind the name of their section, and in a comment. */
const IN_SETTING =
  /^[\s#;]*(?:\[.*\][\s#;]*)?(?:[\w-]*(?:extraheader|password|pass|token|secret|sslkey)\s*=|helper\s*=\s*!|proxy\s*=.*@)/im;

/**
 * git works without its configuration, and most configurations are harmless and wanted inside. So a run does not see
 * the ones that hold credentials, and sees all others. One that is too large to be read counts as holding some.
 */
export function holdsGitCredentials(workspace: string, path: string): boolean {
  if (!(path.endsWith("/config") || path.endsWith("/config.worktree")) || !CONFIG.test(path)) return false;
  try {
    const file = openSync(
      toFilePath(workspace, path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const bytes = Buffer.alloc(MAX_BYTES);
      const length = readSync(file, bytes, 0, MAX_BYTES, 0);
      return length === MAX_BYTES || hasCredentials(bytes.toString("latin1", 0, length));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // What can't be read here is not shown inside. What is no file, or not there, has nothing to hide.
    return !["ENOENT", "ENOTDIR", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}

type Hidden = (path: string, isDirectory?: boolean) => boolean;
const hidingOf = new WeakMap<Hidden, Map<string, Hidden>>();

/** What is hidden, and such configurations in the tree. The same function for the same ones: what it found is remembered by it. */
export function hideGitCredentials(workspace: string, hidden: Hidden): Hidden {
  const known = hidingOf.get(hidden) ?? new Map<string, Hidden>();
  hidingOf.set(hidden, known);
  const hiding =
    known.get(workspace) ??
    ((path, isDirectory) => hidden(path, isDirectory) || (!isDirectory && holdsGitCredentials(workspace, path)));
  known.set(workspace, hiding);
  return hiding;
}

/** git joins lines that end in a backslash, and leaves out quotation marks. */
function hasCredentials(text: string): boolean {
  const plain = text.replaceAll(/\\\r?\n/g, "").replaceAll('"', "");
  return IN_ADDRESS.test(plain) || IN_SETTING.test(plain);
}
