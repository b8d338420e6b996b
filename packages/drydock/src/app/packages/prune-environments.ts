import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ignoreMissing } from "../clean-up/index.ts";
import { LOCK_FILE, readLock } from "./environment-lock.ts";

/** A run that is under way may still read an environment that it opened less than this ago. */
const IN_USE_MS = 24 * 60 * 60 * 1000;
const DOOMED = /^[0-9a-f]{32}\.broken-/;

/** In the home's cache: an environment's own directory holds nothing but what was locked. */
function notePath(directory: string): string {
  return join(dirname(dirname(directory)), "cache", "environments", basename(directory));
}

/** Notes that an environment was used just now: one that is used is not pruned. */
export async function noteUse(directory: string): Promise<void> {
  const note = notePath(directory);
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  await writeFile(note, new Date().toISOString(), { mode: 0o600 });
}

/**
 * Removes the environments that were not used since then. Each is removed in one step, so that no process finds half of
 * one.
 */
export async function pruneEnvironments(
  root: string,
  before: Date,
  dryRun: boolean,
): Promise<{ removed: number; bytes: number }> {
  const limit = Math.min(before.getTime(), Date.now() - IN_USE_MS);
  let removed = 0;
  let bytes = 0;
  for (const name of await readdir(root).catch(() => [])) {
    // What a prune that was killed had begun to remove.
    if (!dryRun && DOOMED.test(name)) await rm(join(root, name), { recursive: true, force: true });
    if (!/^[0-9a-f]{32}$/.test(name)) continue;
    const directory = join(root, name);
    const lock = await readLock(directory);
    if ((await lastUse(directory)) >= limit) continue;
    removed += 1;
    bytes += lock?.bytes ?? 0;
    if (dryRun) continue;
    const doomed = `${directory}.broken-${randomUUID()}`;
    await rename(directory, doomed).catch(ignoreMissing); // another process has removed it
    await rm(doomed, { recursive: true, force: true });
    await rm(notePath(directory), { force: true });
  }
  return { removed, bytes };
}

async function lastUse(directory: string): Promise<number> {
  const times = [notePath(directory), join(directory, LOCK_FILE), directory].map((path) =>
    stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return Math.max(...(await Promise.all(times)));
}
