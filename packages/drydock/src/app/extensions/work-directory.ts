import { lstatSync, mkdirSync, utimesSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError, type EffectivePolicy, type Layer } from "@drydock/protocol";
import { loadDelivery } from "../../engine/index.ts";
import { unsafePathError } from "../../extensions/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { createPathRules } from "../../policy/index.ts";
import { recordDelivery } from "../deliveries/index.ts";

/** Both names have been checked: neither holds anything that a path could misread. */
export function workDirectoryOf(home: string, extension: string, session: string): string {
  return join(home, "extensions", "work", extension, session);
}

/** The directory, where there is one: an extension that keeps no files is spared the mounting of an empty one. */
export function findWorkDirectory(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isDirectory()) throw unsafePathError("The work directory", path, "it is not a directory");
  markUsed(path);
  return path;
}

/** Conversations have no explicit end: a directory that was not used for this long is removed. */
const UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

function markUsed(directory: string): void {
  const now = new Date();
  utimesSync(directory, now, now);
}

/** Called when something is stored: a home that is not used does not grow either. */
async function removeUnused(directory: string): Promise<void> {
  markUsed(directory);
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
}

const MB = 1024 * 1024;

interface KeepOptions {
  runId: string;
  home: string;
  directory: string;
  layer: Layer;
  policy: EffectivePolicy;
}

/**
 * Puts what a run changed into the extension's work directory, so that the next call of the session finds it. Called after
 * the run's end. Where another call got there first nothing is changed, and the note says so.
 */
export async function keepInWorkDirectory(
  ledger: Ledger,
  { runId, home, directory, layer, policy }: KeepOptions,
): Promise<string[]> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const added = layer.entries.reduce((sum, { kind, size = 0 }) => sum + (kind === "deleted" ? 0 : takes(size)), 0);
    const { diskMb } = policy.limits;
    if ((await measure(directory)) + added > diskMb * MB) {
      return [`its files were not kept for the next call: the work directory may hold ${diskMb} MB (limits.diskMb)`];
    }
    const { deliverLayer } = await loadDelivery();
    const { blobs } = ledger;
    const outcome = await deliverLayer({
      layer,
      workspace: directory,
      journalDirectory: join(home, "deliveries", runId),
      contents: {
        path: (sha256) => blobs.path(sha256),
        read: (sha256) => blobs.read(sha256),
        readBase: (sha256) => blobs.read(sha256).catch(() => null),
      },
      rules: createPathRules(policy),
      isPrivate: true,
      record: (delivery, journal) => recordDelivery(ledger, delivery, journal),
    });
    if (outcome.kind !== "conflict") {
      await removeUnused(directory);
      return [];
    }
    const paths = outcome.files.slice(0, 5).map(({ path }) => path);
    return [`not kept for the next call, as another changed the same files meanwhile: ${paths.join(", ")}`];
  } catch (error) {
    if (!(error instanceof DrydockError)) throw error;
    return [`its files were not kept for the next call: ${error.message}`];
  }
}

const BLOCK_BYTES = 4096;

/** What a file takes on a disk: an empty one takes some as well, and there is no end of empty ones. */
function takes(size: number): number {
  return (Math.floor(size / BLOCK_BYTES) + 1) * BLOCK_BYTES;
}

/** What lies in it, in bytes; what goes away meanwhile counts as nothing. */
async function measure(directory: string): Promise<number> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  let sum = 0;
  for (const entry of found) {
    const size = entry.isFile() ? lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size : 0;
    sum += size === undefined ? 0 : takes(size);
  }
  return sum;
}
