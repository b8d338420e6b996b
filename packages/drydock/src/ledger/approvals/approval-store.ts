import type { Approval, ApprovalStatus } from "@drydock/protocol";
import { type LedgerContext, read } from "../ledger-context.ts";
import { approvalFromRow, requireApproval } from "./approval-row.ts";
import { type ApprovalResult, type DecidedApproval, decideApproval } from "./decide-approval.ts";
import { type NewApproval, requestApproval } from "./request-approval.ts";

/*
 * pending ──► approved     the run goes on, in the process that holds it or that approved it
 *    ├──────► denied       the run ends
 *    └──────► cancelled    the run ended before anybody decided
 *
 * Each step is an event of the run, so that an audit covers it; the rows repeat these events, to be looked up.
 */
export interface ApprovalStore {
  request(approval: NewApproval): Promise<Approval>;
  decide(id: string, decided: DecidedApproval): Promise<ApprovalResult>;
  /** DrydockError `approval.not_found` where there is none. */
  get(id: string): Promise<Approval>;
  /** Newest first, at most 1000. `before` is the id of one that the list goes on after. */
  list(options?: { status?: ApprovalStatus; limit?: number; before?: string }): Promise<Approval[]>;
}

const MAX_LISTED = 1000;

export function createApprovalStore(context: LedgerContext): ApprovalStore {
  return {
    request: (approval) => requestApproval(context, approval),
    decide: (id, decided) => decideApproval(context, id, decided),
    get: (id) => read(context, (db) => requireApproval(db, id)),
    async list({ status, limit = MAX_LISTED, before } = {}) {
      const rows = await read(context, (db) => {
        const all = db.selectFrom("approvals").selectAll().orderBy("id", "desc").limit(Math.min(limit, MAX_LISTED));
        const older = before === undefined ? all : all.where("id", "<", before);
        return (status === undefined ? older : older.where("status", "=", status)).execute();
      });
      return rows.map(approvalFromRow);
    },
  };
}
