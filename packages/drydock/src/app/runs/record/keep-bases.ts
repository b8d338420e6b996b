import { hash } from "node:crypto";
import type { Layer, LayerEntry } from "@drydock/protocol";
import type { Ledger } from "../../../ledger/index.ts";
import { createBaseReader } from "../../../sandbox/index.ts";

/** Larger files are not merged. */
const MAX_BASE_BYTES = 8 * 1024 * 1024;

export interface BaseStore {
  /** Keeps them all under their hashes. */
  putAll(contents: readonly Buffer[]): Promise<unknown>;
}

/**
 * Keeps what the files of a layer were before, where that is text: from it a delivery can merge, should the user change
 * the same file meanwhile. Only what still is as the run saw it is kept, and nothing that the policy denies: that is never
 * delivered, and may be hidden. Returns the hashes.
 */
export async function keepBases(
  layer: Layer,
  readBase: (path: string) => Promise<Buffer | null>,
  store: BaseStore,
): Promise<string[]> {
  const found = new Map<string, Buffer>();
  const denied = new Set(layer.denied);
  for (const { path, wasSha256 } of layer.entries.filter(hasOtherContent)) {
    if (wasSha256 === undefined || found.has(wasSha256) || denied.has(path)) continue;
    const bytes = await readBase(path);
    if (!bytes || bytes.length > MAX_BASE_BYTES || bytes.includes(0) || hash("sha256", bytes) !== wasSha256) continue;
    found.set(wasSha256, bytes);
  }
  if (found.size > 0) await store.putAll([...found.values()]);
  return [...found.keys()];
}

/** The same for the layer of a run that is on record, from its workspace into the ledger. */
export async function keepLayerBases({ blobs }: Ledger, runId: string, layer: Layer): Promise<void> {
  if (layer.workspace === null) return;
  const readBase = createBaseReader(layer.workspace, MAX_BASE_BYTES);
  await keepBases(layer, readBase, { putAll: (contents) => blobs.putAll(contents, { runId }) });
}

function hasOtherContent({ kind, wasType, wasSha256, sha256 }: LayerEntry): boolean {
  return wasType === "file" && wasSha256 !== undefined && (kind === "deleted" || wasSha256 !== sha256);
}
