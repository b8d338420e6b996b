import type { Approval } from "@drydock/protocol";
import { beginCapability } from "../capabilities/capability-row.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { appendInTransaction } from "../runs/append-events.ts";
import { moveTo } from "../runs/change-state.ts";
import { requireRun } from "../runs/find-run.ts";
import { endInTransaction } from "../runs/finish-run.ts";
import { foldOwner, isHeldBy } from "../runs/run-state.ts";
import { type NewEvent, prepareEvent } from "../runs/write-events.ts";
import { toStorableText } from "../to-storable-text.ts";
import { requireApproval } from "./approval-row.ts";

export interface DecidedApproval {
  approved: boolean;
  by: string;
  reason?: string | null;
  /** How a waiting run ends if it is denied. A run that this process holds is ended by its holder. */
  end?: (denied: Approval) => NewEvent;
}

/**
 * `decided`: this decision counts; a run that waited belongs to this process now, or has ended.
 * `already`: somebody else was quicker, or the run is gone; this decision counts for nothing.
 * `elsewhere`: another process is asking somebody at this moment, and will not hear of it.
 */
export type ApprovalResult = { kind: "decided" | "already" | "elsewhere"; approval: Approval };

/**
 * A person's decision, once. The decision and the new state of the run are one transaction: an approved run is still
 * waiting or owned by the process that approved it; a denied one has ended.
 */
export async function decideApproval(
  context: LedgerContext,
  id: string,
  decided: DecidedApproval,
): Promise<ApprovalResult> {
  const by = toStorableText(context, decided.by);
  const reason = decided.reason ? toStorableText(context, decided.reason) : null;
  const at = context.now().toISOString();
  return write(context, async (trx) => {
    const found = await requireApproval(trx, id);
    if (found.status !== "pending") return { kind: "already", approval: found };
    const run = await requireRun(trx, found.runId);
    const waits = run.status === "paused";
    if (!waits && !isHeldBy(run, foldOwner({ owner: context.owner }))) return { kind: "elsewhere", approval: found };

    const status = decided.approved ? "approved" : "denied";
    const approval: Approval = { ...found, status, decidedBy: by, decidedAt: at, reason };
    const event = prepareEvent(context, {
      type: "approval.decided",
      data: { approvalId: id, approved: decided.approved, by, reason },
    });
    const after = await appendInTransaction(trx, run, [event], at);
    await trx
      .updateTable("approvals")
      .set({ status, decided_by: by, decided_at: at, reason })
      .where("id", "=", id)
      .where("status", "=", "pending")
      .execute();
    // It counts in this hour, not in the hour of the request.
    if (decided.approved) await beginCapability(trx, run.id, at);
    if (waits && decided.approved) {
      await moveTo(context, trx, after, "run.resumed", { owner: context.owner });
    } else if (waits && decided.end) {
      await endInTransaction(trx, run.id, [prepareEvent(context, decided.end(approval))], at);
    }
    return { kind: "decided", approval };
  });
}
