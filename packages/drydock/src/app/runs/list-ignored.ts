import { loadDelivery } from "../../engine/index.ts";
import { readConfig } from "../config.ts";

/** Caches that tools leave behind for their own next run. */
const CACHES =
  /(^|\/)(__pycache__|\.(pytest|mypy|ruff)_cache|\.hypothesis|\.tox|\.nox|\.ipynb_checkpoints|node_modules\/\.(cache|vite|vite-temp))(\/|$)|\.py[co]$/;
const PATIENCE_MS = 2000;

interface IgnoredOptions {
  searchPath?: string;
  /** How long git may take. Default: as long as somebody may wait for a list. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
}

/** Which of the paths in a workspace are caches, or ignored by its repository. Where git has no answer, the caches alone. */
export async function listIgnored(
  workspace: string | undefined,
  paths: readonly string[],
  { searchPath = readConfig().searchPath, patienceMs = PATIENCE_MS, signal: stop }: IgnoredOptions = {},
): Promise<Set<string>> {
  const caches = new Set(paths.filter((path) => CACHES.test(path)));
  const others = paths.filter((path) => !caches.has(path));
  if (workspace === undefined || others.length === 0) return caches;
  try {
    const { findIgnored } = await loadDelivery();
    const place = { workspace, searchPath };
    const signal = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(stop ? [stop] : [])]);
    return new Set([...caches, ...(await findIgnored(place, others, { withIndex: true, signal }))]);
  } catch {
    stop?.throwIfAborted();
    return caches; // no repository, no git, or one that takes too long
  }
}
