import { rm } from "node:fs/promises";
import type { Layer } from "@drydock/protocol";
import type { Ledger, NewEvent } from "../../../ledger/index.ts";
import type { Outcome } from "../../../sandbox/index.ts";
import { keepLayerBases } from "./keep-bases.ts";

const MAX_NAMED = 50;

/** Keeps the contents of changed files in the ledger, but for those of `known` hashes, and removes the spooled files. */
export async function keepContents(
  { blobs }: Pick<Ledger, "blobs">,
  runId: string,
  { contents }: Pick<Outcome, "contents">,
  known: ReadonlySet<string | undefined> = new Set(),
): Promise<void> {
  if (contents.size === 0) return;
  const fresh = [...contents].filter(([sha256]) => !known.has(sha256)).map(([, content]) => content);
  try {
    if (fresh.length > 0) await blobs.putAll(fresh, { runId });
  } finally {
    // A full disk, of all things, must not keep them.
    await dropContents({ contents });
  }
}

/** A run of many executions must not fill the disk with the spooled files of each of them. */
export async function dropContents({ contents }: Pick<Outcome, "contents">): Promise<void> {
  const spooled = [...contents.values()].filter((content) => typeof content === "string");
  await Promise.all(spooled.map((path) => rm(path, { force: true })));
}

/** Keeps a layer, whose contents are in the ledger already, and returns the event that records it. */
export async function recordLayer(ledger: Ledger, runId: string, layer: Layer): Promise<NewEvent> {
  await keepLayerBases(ledger, runId, layer);
  const blob = await ledger.blobs.put(Buffer.from(JSON.stringify(layer)), { runId });
  const { baseHash, treeHash, denied, changedUnderneath, entries } = layer;
  return {
    type: "layer.captured",
    data: {
      layer: blob.sha256,
      entries: entries.length,
      baseHash,
      treeHash,
      denied: denied.slice(0, MAX_NAMED),
      changedUnderneath: changedUnderneath.slice(0, MAX_NAMED),
    },
  };
}
