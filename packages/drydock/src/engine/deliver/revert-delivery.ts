import { readFile } from "node:fs/promises";
import { type DeliveryHooks, inWorkspace, type LayerContents, type LayerDeliveryOutcome } from "./deliver-layer.ts";
import { keptPath, readJournal } from "./journal.ts";
import type { PlannedPath } from "./path-state.ts";
import { planDelivery } from "./plan-delivery.ts";

export interface RevertOptions extends DeliveryHooks {
  workspace: string;
  /** That of the delivery which is to be undone. */
  journalDirectory: string;
  contents: Pick<LayerContents, "read">;
  signal?: AbortSignal;
}

/**
 * Undoes a delivery, wholly or not at all: a delivery in the other direction, of what was kept. What the user has changed
 * since is merged or makes it a conflict. `nothing`: nothing of it is recorded, or nothing of it is there any more.
 */
export async function revertDelivery(options: RevertOptions): Promise<LayerDeliveryOutcome> {
  const { journalDirectory, workspace, contents, signal } = options;
  return inWorkspace({ kind: "revert", journalDirectory, workspace }, options, signal, async (target) => {
    const journal = await readJournal(journalDirectory);
    if (journal?.state !== "done") return { kind: "nothing" };
    const wants = journal.items.map(({ path, before, after, beforeOwner }): PlannedPath => {
      return { path, before: after, after: before, owner: beforeOwner ?? undefined };
    });
    const readKept = (sha256: string) => readFile(keptPath(journalDirectory, sha256));
    const sources = {
      readBase: (sha256: string) => readKept(sha256).catch(() => contents.read(sha256).catch(() => null)),
      readWanted: readKept,
    };
    const plan = await planDelivery(target, wants, sources, signal);
    return { plan, contentPath: async (sha256) => keptPath(journalDirectory, sha256) };
  });
}
