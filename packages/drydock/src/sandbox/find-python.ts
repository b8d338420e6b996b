import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";

export interface Python {
  /** The real binary: a shim in front of it costs several times its own start. */
  path: string;
  /** Directories outside of /usr that it needs, to be seen inside. */
  paths: string[];
}

/**
 * The configured Python, else the first `python3` of the PATH that an unprivileged user can read: the code inside is
 * such a user, so that an interpreter below somebody's home is of no use to it.
 */
export function findPython(configured: string | undefined, searchPath: string): Python {
  const candidates = configured
    ? [configured]
    : searchPath
        .split(delimiter)
        .filter(Boolean)
        .map((dir) => join(dir, "python3"));
  const reasons: string[] = [];
  for (const candidate of [...candidates, ...(configured ? [] : ["/usr/bin/python3"])]) {
    const found = inspectCandidate(candidate);
    if (typeof found !== "string") return found;
    reasons.push(`${candidate}: ${found}`);
  }
  throw new DrydockError(
    "sandbox.unavailable",
    `No usable python3 was found (${reasons.join("; ") || "the PATH is empty"}).`,
    "Install one that every user can read, for instance with `apt-get install python3`. The sandbox itself needs it, for every language.",
    { reasons },
  );
}

function inspectCandidate(candidate: string): Python | string {
  let path: string;
  try {
    path = realpathSync(candidate);
    accessSync(path, constants.X_OK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "not found" : "can't be executed";
  }
  if (!/\/python3(\.\d+)?$/.test(path)) return "is a shim, not the interpreter";
  if (!isReachable(path)) return "can't be read by an unprivileged user";
  return { path, paths: path.startsWith("/usr/") ? [] : [dirname(dirname(path))] };
}

/** Every directory on the way may be entered by anybody, and the file may be executed by anybody. */
function isReachable(path: string): boolean {
  for (let at = path; at !== "/"; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false;
  }
  return true;
}
