import { DrydockError, type Layer, type LayerEntry } from "@drydock/protocol";
import { collectWork, createLayerCache, openTree } from "../../../engine/index.ts";
import type { TreeRules, Workbench } from "../../../sandbox/index.ts";
import { readRunLayer } from "../../deliveries/index.ts";
import { openDocuments } from "../../runs/open-journal.ts";
import type { GoalPorts } from "../goal-ports.ts";
import type { GoalRequest } from "../goal-request.ts";
import { describeFollowed } from "./describe-followed.ts";
import { findRepairs } from "./find-repairs.ts";
import { type FollowedRun, readFollowed } from "./settle-followed.ts";

const LISTED = 20;

/**
 * The result of the run that is followed, over the workspace as it is now. What was delivered there is in the workspace,
 * and what was discarded is not wanted: neither needs a layer.
 */
export async function findFollowed(
  ports: GoalPorts,
  { run: runId, comments = [], worker }: NonNullable<GoalRequest["follow"]> & Pick<GoalRequest, "worker">,
  workbench: Workbench,
): Promise<FollowedRun> {
  const { fate, layer: final } = await readRunLayer(ports.ledger, runId);
  const place = fate.kind !== "applied" ? fate.kind : fate.branch === null ? "workspace" : "kept";
  const repairs = place === "kept" && worker === "repair" ? await findRepairs(ports, runId) : [];
  const isLeft = place === "kept" && repairs.length === 0;
  const left = isLeft ? (final ?? (await collectLeft(ports, runId, workbench))) : null;
  const layer = left && (await placeLayer(runId, left, workbench));
  const account = await describeFollowed(ports, { runId, place, workbench, layer, final, comments });
  return { run: runId, layer, account, repairs, contents: ports.ledger.blobs };
}

/** Of a run that came to no whole result: what its tasks left. */
async function collectLeft(
  { ledger, readEvents }: GoalPorts,
  runId: string,
  workbench: Workbench,
): Promise<Layer | null> {
  const events = await readEvents(runId);
  const recorded = events.find(({ type }) => type === "run.followed");
  const followed = recorded ? await readFollowed(ledger.blobs, recorded.data) : null;
  const layers = createLayerCache(openDocuments(ledger, runId));
  return collectWork({ workbench, layers, settings: { initial: null, followed } }, events);
}

/** The same changes over the workspace as it is now, where they fit there and this run's policy allows all of them. */
async function placeLayer(runId: string, left: Layer, workbench: Workbench): Promise<Layer | null> {
  const { layer } = await openTree({ workbench, settings: { initial: null } }, left).catch((error: unknown) => {
    const conflicts = error instanceof DrydockError && error.code === "delivery.conflict" && error.data.conflicts;
    throw Array.isArray(conflicts) ? describeConflict(runId, conflicts.map(String)) : error;
  });
  const denied = layer.entries.filter((entry) => !mayTakeOver(entry, workbench.rules)).map(({ path }) => path);
  if (denied.length > 0) {
    throw new DrydockError(
      "policy.path_denied",
      `Run ${runId} changed what this run may not change: ${listPaths(denied)}.`,
      `Ask for a policy that allows it, or start from the workspace without those changes: \`drydock runs discard ${runId}\`, then follow it again.`,
      { runId, paths: denied.slice(0, LISTED) },
    );
  }
  // What the run was kept from writing is not in the entries, and is no offence of this one.
  return layer.entries.length === 0 ? null : { ...layer, denied: [] };
}

/** A new directory may lie outside the write scope where it only leads to something inside it. */
function mayTakeOver({ path, kind, type }: LayerEntry, rules: TreeRules): boolean {
  if (rules.hidden(path) || rules.protectedPath(path)) return false;
  return rules.writable(path) || (kind === "added" && type === "directory");
}

function describeConflict(runId: string, conflicts: readonly string[]): DrydockError {
  return new DrydockError(
    "delivery.conflict",
    `The changes of run ${runId} conflict with the workspace, which has changed in the same places: ${listPaths(conflicts)}.`,
    `Restore these files to their state before the run. Or start without those changes: \`drydock runs discard ${runId}\`, then follow it again.`,
    { runId, conflicts: conflicts.slice(0, LISTED) },
  );
}

function listPaths(paths: readonly string[]): string {
  const more = paths.length > LISTED ? ` and ${paths.length - LISTED} more` : "";
  return `${paths.slice(0, LISTED).join(", ")}${more}`;
}
