import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DrydockError, type PruneReport } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import { pruneEnvironments } from "../packages/index.ts";
import type { PruneOptions } from "./api.ts";
import { ignoreMissing, measureDirectory } from "./measure-directory.ts";

/**
 * Removes old runs and what belongs to them alone. The ledger goes first, in one transaction with its checkpoint: a crash
 * afterwards leaves directories of runs that are gone, which the next call removes with the others.
 */
export async function pruneHome(ledger: Ledger, home: string, options: PruneOptions): Promise<PruneReport> {
  const { before, keepArtifacts = false, dryRun = false } = options;
  if (Number.isNaN(before.getTime())) {
    throw new DrydockError(
      "input.invalid",
      "The option `before` of a prune is not a valid date.",
      "Give a valid Date.",
    );
  }
  const stored = async () => Object.values(await ledger.measureContent()).reduce((sum, size) => sum + size, 0);
  const full = await stored();
  const cut = await ledger.cut({ before, keepArtifacts, dryRun });
  if (!dryRun) await ledger.artifacts.expire(new Date());
  let freedBytes = full - (await stored());
  if (!dryRun) freedBytes += await removeLeft(ledger, [join(home, "runs"), join(home, "deliveries")]);
  if (!dryRun) freedBytes += await ledger.reclaimSpace();
  const environments = await pruneEnvironments(join(home, "environments"), before, dryRun);
  return {
    before: before.toISOString(),
    dryRun,
    runs: cut.removedRuns,
    events: cut.removedEvents,
    environments: environments.removed,
    freedBytes: dryRun ? 0 : freedBytes + environments.bytes,
    checkpoint: cut.checkpoint && { position: cut.checkpoint.position, hash: cut.checkpoint.hash },
  };
}

/** Removes the directories of runs that the ledger does not know any more. A run is on record before it has a directory. */
async function removeLeft(ledger: Ledger, roots: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const root of roots) {
    for (const name of (await readdir(root).catch(ignoreMissing)) ?? []) {
      if (!/^run_[0-9a-z]{26}$/.test(name) || (await ledger.getRun(name)) !== null) continue;
      bytes += await measureDirectory(join(root, name));
      await rm(join(root, name), { recursive: true, force: true });
    }
  }
  return bytes;
}
