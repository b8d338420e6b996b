import { constants } from "node:fs";
import { open, opendir, readlink } from "node:fs/promises";
import { join } from "node:path";

export interface ScanOptions {
  /** The workspace's real path. */
  root: string;
  /** Paths that the policy hides, and Drydock's own. A profile must not mention what no run may see. */
  hidden: (path: string) => boolean;
  signal?: AbortSignal;
}

/** The files of a workspace, as far as a look at them goes. */
export interface WorkspaceScan {
  /** Regular files, relative paths in byte order. */
  paths: string[];
  /** There is more than was looked at. */
  truncated: boolean;
  /** The beginning of a text file that was found; null for what is no text, or no longer there. */
  read(path: string): Promise<string | null>;
}

const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 12;
const MAX_READ_BYTES = 64 * 1024;

/** Directories that tools fill: they say nothing about the people who write here. */
const SKIPPED = new Set(
  ".git .hg .svn .drydock node_modules bower_components .venv venv env __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox dist build out target coverage .next .nuxt .cache .gradle .idea .vscode vendor site-packages".split(
    " ",
  ),
);

/** Whether a file lies in a directory that tools fill. */
export function isSkipped(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => SKIPPED.has(name));
}

/** Looks, and runs nothing. No link is followed, neither here nor when a file is read. */
export async function scanWorkspace({ root, hidden, signal }: ScanOptions): Promise<WorkspaceScan> {
  const paths: string[] = [];
  let entries = 0;
  let truncated = false;

  async function visit(directory: string, depth: number): Promise<void> {
    const handle = await opendir(join(root, directory)).catch(() => null);
    if (!handle) return;
    const below: string[] = [];
    for await (const entry of handle) {
      signal?.throwIfAborted();
      if (++entries > MAX_ENTRIES) {
        truncated = true;
        break;
      }
      const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
      if (hidden(path)) continue;
      if (entry.isFile()) paths.push(path);
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) below.push(path);
    }
    if (depth >= MAX_DEPTH) truncated ||= below.length > 0;
    else for (const path of below.sort()) if (!truncated || entries <= MAX_ENTRIES) await visit(path, depth + 1);
  }

  await visit("", 0);
  const known = new Set(paths);
  return {
    paths: paths.sort(),
    truncated,
    read: async (path) => (known.has(path) ? readBeginning(root, path) : null),
  };
}

async function readBeginning(root: string, path: string): Promise<string | null> {
  const place = join(root, path);
  // Neither waits for a pipe that took the file's place, nor follows a link that did.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(place, flags).catch(() => null);
  if (!handle) return null;
  try {
    // A directory above it may have become a link since: what was opened says where it really lies.
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== place) return null;
    if (!(await handle.stat()).isFile()) return null;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_READ_BYTES), 0, MAX_READ_BYTES, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return bytes.includes(0) ? null : bytes.toString();
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
