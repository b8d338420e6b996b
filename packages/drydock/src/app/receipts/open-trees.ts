import { DrydockError, type Layer, type Run, type RunEvent } from "@drydock/protocol";
import { createLayerCache } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { openWorkbench, resolveWorkspace, type WorkTree } from "../../sandbox/index.ts";
import { findBase } from "../goals/index.ts";
import { openDocuments } from "../runs/open-journal.ts";
import { readLayer } from "../runs/read-layer.ts";
import { createTreeContents } from "../runs/run-on-tree.ts";
import { findLastJudged } from "./read-evidence.ts";

/** A tree of the run's workspace if it is still known; else why not. */
export type TreeLookup = { tree: WorkTree } | { missing: string };

export interface RunTrees {
  /** What was judged. */
  judged: TreeLookup;
  /** What the run began with. */
  base: TreeLookup;
  close(): Promise<void>;
}

/** Hashes and records are about all that lies there; what of it may be shown is another question. */
export const EVERYTHING = { hidden: () => false, protectedPath: () => false, writable: () => true };

/** Looks at the run's workspace: it may be as it was before the run, as the run's delivery left it, or gone. */
export async function openTrees(
  { ledger, own }: { ledger: Ledger; own: readonly string[] },
  run: Run,
  events: readonly RunEvent[],
): Promise<RunTrees> {
  const nothing = (missing: string): RunTrees => ({ judged: { missing }, base: { missing }, close: async () => {} });
  if (run.workspace === null) return nothing("the run has no workspace");
  let workspace: string;
  try {
    workspace = resolveWorkspace(run.workspace, own);
  } catch {
    return nothing(`the workspace ${run.workspace} is not there any more`);
  }
  const contents = createTreeContents(ledger, run.id);
  const workbench = await openWorkbench({ workspace, rules: EVERYTHING, contents });
  const moved = { missing: "the workspace has changed since the run" };
  const findJudged = async (): Promise<TreeLookup> => {
    if (workbench.treeHash === run.treeHash) return { tree: workbench.tree(null) };
    const layer = await (run.treeHash === null ? readAttempt(ledger, run.id, events) : readFinal(ledger, events));
    return layer?.baseHash === workbench.treeHash ? { tree: workbench.tree(layer) } : moved;
  };
  const findStart = async (): Promise<TreeLookup> => {
    if (run.kind !== "goal") return findJudged();
    try {
      return { tree: workbench.tree(await findBase(ledger.blobs, workbench, events)) };
    } catch (error) {
      if (error instanceof DrydockError) return moved;
      throw error;
    }
  };
  try {
    return { judged: await findJudged(), base: await findStart(), close: () => workbench.close() };
  } catch (error) {
    await workbench.close();
    throw error;
  }
}

async function readFinal(ledger: Ledger, events: readonly RunEvent[]): Promise<Layer | undefined> {
  const final = events.findLast(({ type, data }) => type === "layer.captured" && data.final === true);
  return final && readLayer(ledger, final);
}

/** The attempt whose tree was judged last, where there is no whole result. */
async function readAttempt(ledger: Ledger, runId: string, events: readonly RunEvent[]): Promise<Layer | undefined> {
  const key = findLastJudged(events)?.data.key;
  const isJudged = ({ type, data }: RunEvent) => type === "attempt.finished" && data.key === key && data.layer !== null;
  const attempt = events.findLast(isJudged);
  return attempt && createLayerCache(openDocuments(ledger, runId)).read(String(attempt.data.layer));
}
