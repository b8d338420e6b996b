import { DrydockError, Layer, type RunEvent } from "@drydock/protocol";
import type { Ledger } from "../../ledger/index.ts";
import type { Workbench } from "../../sandbox/index.ts";

/**
 * What makes the workspace what it was when the run began: nothing where it still is, else what takes the run's own
 * delivery back. A workspace that others changed since is refused: on another tree, another verdict proves nothing.
 */
export async function findBase(ledger: Ledger, bench: Workbench, events: readonly RunEvent[]): Promise<Layer | null> {
  const began = events.find(
    (event) => event.type === "attempt.started" && Array.isArray(event.data.on) && event.data.on.length === 0,
  );
  const wanted = began?.data.baseHash;
  if (wanted === undefined || wanted === bench.treeHash) return null;
  const final = events.findLast((event) => event.type === "layer.captured" && event.data.final === true);
  const layer = final ? Layer.parse(JSON.parse((await ledger.blobs.read(String(final.data.layer))).toString())) : null;
  const undone = layer && (await bench.undo(layer));
  if (undone?.ok && undone.layer.treeHash === wanted) return undone.layer;
  throw new DrydockError(
    "delivery.conflict",
    `The workspace ${bench.workspace} is not what it was when the run began, nor what the run made of it.`,
    "Bring it back to that state (with git, say), or replay in a copy: --workspace DIR.",
    { wanted, found: bench.treeHash, ...(undone && !undone.ok && { conflicts: undone.conflicts }) },
  );
}
