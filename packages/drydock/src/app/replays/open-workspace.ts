import { hash } from "node:crypto";
import type { Divergence, EffectivePolicy, RunEvent } from "@drydock/protocol";
import { resolveWorkspace, type TreeContents } from "../../sandbox/index.ts";
import { readLayer } from "../runs/read-layer.ts";
import { findEnding } from "../runs/recorded/find-ending.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import { copyDirectory } from "./copy-directory.ts";
import { notReplayable } from "./read-recorded.ts";
import type { ReplayPorts, ReplayRequest } from "./replayer.ts";

export interface ReplayWorkspace {
  /** Null: an empty directory. */
  path: string | null;
  /** That it is another tree than the run began with. */
  divergences: Divergence[];
  /** Removes what was made for the replay. */
  close(): Promise<void>;
}

/** The hash of the tree that an execution began with, as far as it is on record. */
export function readStartTree(events: readonly RunEvent[]): string | null {
  const captured = events.findLast(({ type }) => type === "layer.captured");
  const started = captured?.data.baseHash ?? findEnding(events)?.data.treeHash;
  return typeof started === "string" && started !== "" ? started : null;
}

/**
 * The directory in which a run is executed again. Where it holds what one of the `delivered` runs changed, this is taken back
 * in a copy. Where it is another tree for another reason, that is a divergence, and the replay goes on with it.
 */
export async function openReplayWorkspace(
  ports: Pick<ReplayPorts, "ledger" | "own" | "sandbox" | "temporary">,
  { run, events }: RecordedRun,
  { workspace: requested, signal }: Pick<ReplayRequest, "workspace" | "signal">,
  { policy, delivered }: { policy: EffectivePolicy; delivered: readonly RecordedRun[] },
): Promise<ReplayWorkspace> {
  const close = async () => {};
  if (run.workspace === null) return { path: null, divergences: [], close };
  const path = findDirectory(ports, run.id, requested ?? run.workspace, requested !== undefined);
  const wanted = readStartTree(events);
  if (wanted === null) return { path, divergences: [], close };
  const contents = readOnly(ports);
  const workbench = await ports.sandbox().openWorkbench({ workspace: path, policy, contents, signal });
  try {
    if (workbench.treeHash === wanted) return { path, divergences: [], close };
    for (const candidate of delivered) {
      const captured = candidate.events.findLast(({ type }) => type === "layer.captured");
      const undone = captured && (await workbench.undo(await readLayer(ports.ledger, captured)));
      if (!undone?.ok || undone.layer.treeHash !== wanted) continue;
      const copy = await copyDirectory(path, ports.temporary, { layer: undone.layer, contents });
      return { path: copy.path, divergences: [], close: copy.remove };
    }
    const other = { step: "workspace", what: "the tree", recorded: wanted, replayed: workbench.treeHash };
    return { path, divergences: [{ ...other, cause: "workspace" }], close };
  } finally {
    await workbench.close();
  }
}

function findDirectory({ own }: Pick<ReplayPorts, "own">, runId: string, path: string, isNamed: boolean): string {
  try {
    return resolveWorkspace(path, own);
  } catch (error) {
    if (isNamed) throw error;
    const hint = "Give a copy of it in the state before the run: --workspace DIR.";
    throw notReplayable(runId, `the directory ${path} that it worked on is not there any more`, hint);
  }
}

/** Contents that are only read: what a replay looks at is not kept again. */
function readOnly({ ledger: { blobs } }: Pick<ReplayPorts, "ledger">): TreeContents {
  return {
    read: (sha256) => blobs.readWhole(sha256),
    put: async (bytes) => ({ sha256: hash("sha256", bytes), size: bytes.length }),
  };
}
