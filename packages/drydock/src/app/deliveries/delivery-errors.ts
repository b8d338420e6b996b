import { type AutorunFile, countWord, DrydockError, hasEnded, type Run } from "@drydock/protocol";
import type { Conflict } from "../../engine/index.ts";
import type { RunLayer } from "./delivery-record.ts";

const LISTED = 20;

export function refuseUnended(run: Run): void {
  if (hasEnded(run)) return;
  const { id, status } = run;
  throw new DrydockError(
    "delivery.conflict",
    `Run ${id} has not ended (${status}).`,
    "Wait for its end, or cancel it. Its changes are kept.",
    { runId: id, status },
  );
}

/** What a run changes is captured at its end, which a lost one never reached. */
export function refuseLost({ id, status, kind }: Run): void {
  if (status !== "lost") return;
  if (kind === "wrap") {
    throw new DrydockError(
      "delivery.conflict",
      `Run ${id} is lost: the process that ran it ended before the run did.`,
      `Its files are kept up to its last checkpoint. Go on from there: \`drydock wrap --from ${id}\`. Or see them: \`drydock wrap checkpoints ${id}\`.`,
      { runId: id, status },
    );
  }
  throw new DrydockError(
    "delivery.conflict",
    `Run ${id} is lost: the process that ran it ended before the run did, and its changes are gone.`,
    "Run it again.",
    { runId: id, status },
  );
}

/** Checks that were declared and not made are no reason to deliver without them. */
export function refuseUnjudged({ run, layer, declared }: Pick<RunLayer, "run" | "layer" | "declared">): void {
  const { id, verdict } = run;
  const isEmpty = layer === null || layer.entries.length === 0;
  if (verdict !== "unverified" || declared.checks === 0 || isEmpty) return;
  throw new DrydockError(
    "policy.approval_denied",
    `The changes of run ${id} were not judged: ${countWord(declared.checks, "check was", "checks were")} declared, and not made.`,
    `Make them: \`drydock wrap rewind ${id} ${declared.checkpoint}\`. That puts the same files into a run of their own, judges it, and says how to apply it.`,
    { runId: id, verdict },
  );
}

export function deliveryRefusedError(runId: string, what: string, hint: string): DrydockError {
  return new DrydockError("delivery.conflict", `The changes of run ${runId} ${what}.`, hint, { runId });
}

export function deliveryConflictError(
  runId: string,
  files: readonly Conflict[],
  verb: "apply" | "revert" = "apply",
): DrydockError {
  const listed = files.slice(0, LISTED).map(({ path, reason }) => `\n${path} ${reason}`);
  const more = files.length > listed.length ? `\n… and ${files.length - listed.length} more` : "";
  return new DrydockError(
    "delivery.conflict",
    `Nothing was changed: ${countWord(files.length, "path has a conflict", "paths have conflicts")}.${listed.join("")}${more}`,
    verb === "apply"
      ? `The changes are kept. Restore these paths to their state before the run, or apply the diff by hand: \`drydock runs diff ${runId}\`.`
      : "Restore these paths to what was delivered, or undo the change by hand.",
    { runId, files },
  );
}

/** The changes hold files that run by themselves, and only a person can agree to those. */
export function autorunApprovalError(runId: string, files: readonly AutorunFile[], branch?: string): DrydockError {
  const listed = files.slice(0, LISTED).map(({ path, reason }) => `\n${path} (${reason})`);
  const more = files.length > listed.length ? `\n… and ${files.length - listed.length} more` : "";
  const place = branch === undefined ? "" : ` --branch ${quoteWord(branch)}`;
  return new DrydockError(
    "policy.approval_denied",
    `Nothing was delivered: other programs execute these files automatically, and that needs your approval.${listed.join("")}${more}`,
    `Read them: \`drydock runs diff ${runId}\`. Then deliver all of it: \`drydock runs apply ${runId}${place} --allow-autorun\`. The changes are kept.`,
    { runId, autorun: files },
  );
}

function quoteWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
