import { join } from "node:path";
import { type Change, DrydockError, type Layer } from "@drydock/protocol";
import { loadDelivery } from "../../engine/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { PathRules } from "../../policy/index.ts";
import type { Policies } from "../policies/index.ts";
import type { ApplyOptions, Delivered, Discarded, Reverted } from "./api.ts";
import {
  autorunApprovalError,
  deliveryConflictError,
  deliveryRefusedError,
  refuseLost,
  refuseUnended,
  refuseUnjudged,
} from "./delivery-errors.ts";
import { noteIgnored, noteModes, noteVerdict } from "./delivery-notes.ts";
import { type RunLayer, readRunLayer, recordDelivery } from "./delivery-record.ts";
import { readDeliveryRules } from "./delivery-rules.ts";
import { leaveOutIgnored } from "./leave-out-ignored.ts";

export interface DeliverPorts {
  ledger: Ledger;
  policies: Policies;
  home: string;
  /** Drydock's own directories: nothing is ever delivered into them. */
  own: readonly string[];
  /** `PATH`, on which git is found. */
  searchPath: string;
}

/** Puts a run's changes into its workspace, or on a new branch. What can't go there is `delivery.conflict`. */
export async function applyRun(
  ports: DeliverPorts,
  runId: string,
  { branch, allowAutorun = false, allowUnproven = false, includeIgnored = false, signal }: ApplyOptions = {},
): Promise<Delivered> {
  const { ledger } = ports;
  const found = await readRunLayer(ledger, runId);
  const described = describe(found);
  if (found.fate.kind === "applied") return { ...described, ...whereTo(found, branch), outcome: "already" };
  const isEmpty = found.layer === null || found.layer.entries.length === 0;
  // There is nothing in it that a person could agree to.
  if (isEmpty && found.run.verdict === "unproven") return { ...described, notes: [], outcome: "nothing" };
  const { layer: whole, workspace } = refuseUnready(found, allowUnproven);
  if (!whole || isEmpty) return { ...described, outcome: "nothing" };
  // A verdict is about one tree, which is delivered as it was judged.
  const isWhole = includeIgnored || found.run.verdict === "passed" || found.run.verdict === "unproven";
  const place = { workspace, searchPath: ports.searchPath, signal };
  const { layer, ignored } = isWhole ? { layer: whole, ignored: [] } : await leaveOutIgnored(whole, place);
  described.ignored = ignored.length;
  if (layer.entries.length === 0)
    return { ...described, notes: noteIgnored(runId, ignored, false), outcome: "nothing" };
  const rules = await readDeliveryRules(found.policy, workspace, ports);
  const contents = contentsOf(ledger);
  const { deliverLayer, readHookDirectories } = await loadDelivery();
  const hookDirectories = await readHookDirectories({ workspace, searchPath: ports.searchPath });
  const autorun = { isAllowed: allowAutorun, hookDirectories };
  if (branch !== undefined) {
    const work = { ...found, layer, workspace, rules, branch, autorun, includeIgnored, ignored, signal };
    return applyToBranch(ports, work);
  }
  const outcome = await deliverLayer({
    layer,
    workspace,
    journalDirectory: journalOf(ports, runId),
    contents,
    rules,
    autorun,
    ignored: ignored.length,
    signal,
    // Somebody else may have been quicker while this one waited for its turn.
    admit: async () => void refuseUnready(await readRunLayer(ledger, runId), allowUnproven),
    record: (delivery, journal) => recordDelivery(ledger, delivery, journal),
  });
  switch (outcome.kind) {
    case "conflict":
      throw deliveryConflictError(runId, outcome.files);
    case "autorun":
      throw autorunApprovalError(runId, outcome.files);
    case "applied": {
      const { merged, changes, reduced } = outcome;
      const isUnjudged = found.run.verdict === "passed" && merged.length > 0;
      const unjudged = isUnjudged ? ["merged: no check has judged it together with your changes"] : [];
      const notes = [...described.notes, ...unjudged, ...noteModes(reduced), ...noteIgnored(runId, ignored, true)];
      return { ...described, outcome: "applied", merged, changes, notes };
    }
    case "nothing": {
      if ((await readRunLayer(ledger, runId)).fate.kind === "applied") return { ...described, outcome: "already" };
      const { reduced = [] } = outcome;
      const treeHash = reduced.length + ignored.length > 0 ? null : layer.treeHash;
      const marks = { ...(reduced.length > 0 && { reduced }), ...(ignored.length > 0 && { ignored: ignored.length }) };
      const data = { treeHash, files: 0, merged: [], deliveredTo: workspace, ...marks };
      await ledger.append(runId, [{ type: "layer.applied", data }]);
      const there = "everything was there already";
      const notes = [...described.notes, there, ...noteModes(reduced), ...noteIgnored(runId, ignored, true)];
      return { ...described, outcome: "applied", notes };
    }
    default:
      return outcome satisfies never;
  }
}

interface BranchWork extends RunLayer {
  layer: Layer;
  workspace: string;
  rules: PathRules;
  branch: string;
  autorun: { isAllowed: boolean; hookDirectories: readonly string[] };
  includeIgnored: boolean;
  /** New files that are left out already. */
  ignored: readonly string[];
  signal: AbortSignal | undefined;
}

async function applyToBranch(ports: DeliverPorts, work: BranchWork): Promise<Delivered> {
  const { ledger, searchPath } = ports;
  const { run, layer, workspace, rules, branch, autorun, includeIgnored, signal } = work;
  const described = describe(work);
  const { commitLayer, lockWorkspace } = await loadDelivery();
  using _lock = await lockWorkspace(join(ports.home, "deliveries"), workspace, signal);
  const now = await readRunLayer(ledger, run.id);
  if (now.fate.kind === "applied") return { ...described, ...whereTo(now, branch), outcome: "already" };
  const date = new Date(run.endedAt ?? run.createdAt);
  const message = run.title.replace(/\s+/g, " ").slice(0, 200);
  const contents = contentsOf(ledger);
  const commitment = { id: run.id, date, message, includeIgnored };
  const made = { workspace, searchPath, layer, branch, contents, rules, autorun, ...commitment, signal };
  const outcome = await commitLayer(made);
  if (outcome.kind === "conflict") throw deliveryConflictError(run.id, outcome.files);
  if (outcome.kind === "autorun") throw autorunApprovalError(run.id, outcome.files, branch);
  const ignored = [...work.ignored, ...outcome.ignored];
  described.ignored = ignored.length;
  const notes = [...described.notes, ...noteIgnored(run.id, ignored, outcome.kind === "committed")];
  if (outcome.kind === "nothing") return { ...described, notes, outcome: "nothing" };
  const { commit, changes } = outcome;
  const data = {
    treeHash: ignored.length > 0 ? null : layer.treeHash,
    files: changes.length,
    merged: [],
    deliveredTo: workspace,
    branch,
    commit,
    ...(outcome.autorun.length > 0 && { autorun: outcome.autorun }),
    ...(ignored.length > 0 && { ignored: ignored.length }),
  };
  await ledger.append(run.id, [{ type: "layer.applied", data }]);
  return { ...described, notes, outcome: "applied", branch, commit, changes };
}

/** Says that a run's changes are not wanted; they can't be applied any more. */
export async function discardRun({ ledger, home }: DeliverPorts, runId: string): Promise<Discarded> {
  const { workspace } = (await readRunLayer(ledger, runId)).run;
  const { lockWorkspace } = await loadDelivery();
  using _lock = workspace === null ? null : await lockWorkspace(join(home, "deliveries"), workspace);
  const { run, fate, layer } = await readRunLayer(ledger, runId);
  if (fate.kind === "discarded") return { runId, outcome: "already" };
  if (fate.kind === "applied") {
    throw deliveryRefusedError(runId, "have been applied", `Undo that first: \`drydock runs revert ${runId}\`.`);
  }
  refuseUnended(run);
  await ledger.append(runId, [{ type: "layer.discarded", data: { treeHash: layer?.treeHash ?? null } }]);
  return { runId, outcome: "discarded" };
}

/** Undoes what `applyRun` did. */
export async function revertRun(
  ports: DeliverPorts,
  runId: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Reverted> {
  const { ledger } = ports;
  const found = await readRunLayer(ledger, runId);
  const { workspace } = found.run;
  if (found.fate.kind === "kept" && found.fate.isUndone) {
    throw deliveryRefusedError(runId, "are undone already", `To have them again: \`drydock runs apply ${runId}\`.`);
  }
  if (found.fate.kind !== "applied" || workspace === null) {
    throw deliveryRefusedError(
      runId,
      "have not been applied",
      `There is nothing to undo. See \`drydock runs show ${runId}\`.`,
    );
  }
  const described = { ...describe(found), ...whereTo(found, undefined), notes: [] };
  const { branch, commit } = found.fate;
  if (branch !== null && commit !== null) {
    const { removeBranch } = await loadDelivery();
    const removed = await removeBranch({ workspace, searchPath: ports.searchPath }, branch, commit);
    await ledger.append(runId, [{ type: "layer.reverted", data: { deliveredTo: workspace, branch, commit } }]);
    return { ...described, outcome: "reverted", notes: removed ? [] : [`the branch ${branch} was gone already`] };
  }
  const { revertDelivery } = await loadDelivery();
  const outcome = await revertDelivery({
    workspace,
    journalDirectory: journalOf(ports, runId),
    contents: contentsOf(ledger),
    signal,
    record: (delivery, journal) => recordDelivery(ledger, delivery, journal),
  });
  if (outcome.kind === "conflict") throw deliveryConflictError(runId, outcome.files, "revert");
  if (outcome.kind === "applied") {
    return { ...described, outcome: "reverted", merged: outcome.merged, changes: outcome.changes };
  }
  if ((await readRunLayer(ledger, runId)).fate.kind === "applied") {
    await ledger.append(runId, [{ type: "layer.reverted", data: { deliveredTo: workspace, files: 0, merged: [] } }]);
  }
  return { ...described, outcome: "reverted", notes: ["nothing of it was there any more"] };
}

/** Completes or undoes deliveries that a crash interrupted. A failure is reported, and the next command tries again. */
export async function recoverHome({ ledger, home }: Pick<DeliverPorts, "ledger" | "home">): Promise<void> {
  const { recoverDeliveries } = await loadDelivery();
  const { failed } = await recoverDeliveries(home, {
    record: (delivery, journal) => recordDelivery(ledger, delivery, journal),
  });
  for (const { delivery, error } of failed) {
    const why = error instanceof Error ? error.message : String(error);
    process.emitWarning(`A delivery to ${delivery.workspace} is not finished: ${why}`, "DrydockWarning");
  }
}

function journalOf({ home }: DeliverPorts, runId: string): string {
  return join(home, "deliveries", runId);
}

function contentsOf({ blobs }: Ledger) {
  return {
    path: (sha256: string) => blobs.path(sha256),
    read: (sha256: string) => blobs.read(sha256),
    readBase: (sha256: string) => blobs.read(sha256).catch(() => null),
  };
}

function describe({ run, reason }: RunLayer) {
  return {
    runId: run.id,
    workspace: run.workspace ?? "",
    branch: null,
    commit: null,
    changes: [] as Change[],
    merged: [] as string[],
    ignored: 0,
    notes: noteVerdict(run, reason),
  };
}

/** Where the changes were applied. A request for a branch is refused if they went elsewhere. */
function whereTo({ run, fate }: RunLayer, wanted: string | undefined): Pick<Delivered, "branch" | "commit"> {
  if (fate.kind !== "applied") return { branch: null, commit: null };
  const { branch, commit } = fate;
  if (wanted === undefined || wanted === branch) return { branch, commit };
  const place = branch === null ? (run.workspace ?? "the workspace") : `the branch ${branch}`;
  const hint = `Undo that first: \`drydock runs revert ${run.id}\`. Then apply it with --branch.`;
  throw deliveryRefusedError(run.id, `have been applied to ${place} already, and not to the branch ${wanted}`, hint);
}

/** Throws unless the changes may be applied. */
function refuseUnready(
  { run, layer, fate, declared }: RunLayer,
  allowUnproven: boolean,
): { layer: Layer | null; workspace: string } {
  const { id } = run;
  refuseUnended(run);
  refuseLost(run);
  if (fate.kind === "discarded")
    throw deliveryRefusedError(id, "have been discarded", "Run it again to have them once more.");
  if (run.workspace === null) {
    const hint = "What it made is in its artifacts: `drydock runs show`. Give the next run a workspace.";
    throw new DrydockError("input.invalid", `Run ${id} had no workspace to deliver to.`, hint, { runId: id });
  }
  const isAccepted = run.verdict === "passed" || (run.verdict === "unproven" && allowUnproven);
  const isProved = isAccepted && (layer === null || run.treeHash === layer.treeHash);
  // A person sat at a wrapped program, and may take what has no check; what a check refused is not delivered.
  refuseUnjudged({ run, layer, declared });
  const isOpen = run.kind === "wrap" && run.verdict === "unverified";
  if ((run.kind === "goal" || run.kind === "wrap") && !isProved && !isOpen) {
    const hint =
      run.verdict === "unproven"
        ? `Its checks pass, but do not prove the change. Read it: \`drydock runs diff ${id}\`. To deliver it anyway: \`drydock runs apply ${id} --allow-unproven\`.`
        : `Look at what failed: \`drydock runs report ${id}\`. To apply parts of it by hand: \`drydock runs diff ${id}\`.`;
    throw new DrydockError(
      "policy.approval_denied",
      `The changes of run ${id} have the verdict ${run.verdict}: only changes with the verdict passed are delivered.`,
      hint,
      { runId: id, verdict: run.verdict },
    );
  }
  return { layer, workspace: run.workspace };
}
