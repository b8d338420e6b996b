import type { Approval, Risk } from "@drydock/protocol";
import { findCapability } from "../capabilities/capability-row.ts";
import { type LedgerContext, write } from "../ledger-context.ts";
import { appendInTransaction } from "../runs/append-events.ts";
import { moveTo } from "../runs/change-state.ts";
import { requireRun } from "../runs/find-run.ts";
import { requireHolder } from "../runs/run-state.ts";
import { prepareEvent } from "../runs/write-events.ts";
import { toStorableText } from "../to-storable-text.ts";

export interface NewApproval {
  runId: string;
  /** What is to be done, as a line a person can read. */
  summary: string;
  risk: Risk;
  requestedBy: string;
  /** Pauses the run, in the same transaction: it waits for a decision in this process or another. */
  wait?: boolean;
}

/** Records that an approval is needed, before a person is asked. */
export async function requestApproval(context: LedgerContext, request: NewApproval): Promise<Approval> {
  const id = context.newId("apr");
  const at = context.now().toISOString();
  const [summary, requestedBy] = [request.summary, request.requestedBy].map((text) => toStorableText(context, text));
  return write(context, async (trx) => {
    const row = await findCapability(trx, request.runId);
    const approval: Approval = {
      id,
      runId: request.runId,
      extension: row?.extension ?? "",
      command: row?.command ?? "",
      action: row?.action ?? "",
      summary: summary ?? "",
      risk: request.risk,
      status: "pending",
      requestedBy: requestedBy ?? "",
      requestedAt: at,
      decidedBy: null,
      decidedAt: null,
      reason: null,
    };
    const data = { approvalId: id, summary: approval.summary, risk: request.risk, requestedBy: approval.requestedBy };
    const run = await requireRun(trx, request.runId);
    requireHolder(run, context.owner, context.claims.get(run.id));
    const event = prepareEvent(context, { type: "approval.requested", data });
    const after = await appendInTransaction(trx, run, [event], at);
    await trx
      .insertInto("approvals")
      .values({
        id,
        run_id: approval.runId,
        extension: approval.extension,
        command: approval.command,
        action: approval.action,
        summary: approval.summary,
        risk: approval.risk,
        status: approval.status,
        requested_by: approval.requestedBy,
        requested_at: at,
        decided_by: null,
        decided_at: null,
        reason: null,
      })
      .execute();
    if (request.wait) await moveTo(context, trx, after, "run.paused", { reason: "approval", approvalId: id });
    return approval;
  });
}
