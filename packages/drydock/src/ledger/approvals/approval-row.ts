import { type Approval, ApprovalStatus, DrydockError, Risk } from "@drydock/protocol";
import type { ApprovalsTable, LedgerDatabase } from "../database/schema.ts";

export function approvalFromRow(row: ApprovalsTable): Approval {
  return {
    id: row.id,
    runId: row.run_id,
    extension: row.extension,
    command: row.command,
    action: row.action,
    summary: row.summary,
    risk: Risk.safeParse(row.risk).data ?? "high",
    // A word that this version does not know must not pass for an approval, nor for something that can still be one.
    status: ApprovalStatus.safeParse(row.status).data ?? "cancelled",
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    reason: row.reason,
  };
}

export async function requireApproval(db: LedgerDatabase, id: string): Promise<Approval> {
  const row = await db.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) return approvalFromRow(row);
  throw new DrydockError(
    "approval.not_found",
    `There is no approval ${id} in this ledger.`,
    "`drydock approvals list` shows those that wait.",
    { approvalId: id },
  );
}
