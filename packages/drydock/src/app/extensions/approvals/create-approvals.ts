import { type Approval, type CapabilityOutcome, DrydockError } from "@drydock/protocol";
import { approvalDeniedError } from "../../../extensions/index.ts";
import type { ApprovalResult, Ledger } from "../../../ledger/index.ts";
import type { Approvals, CapabilityContext } from "../api.ts";

const DEFAULT_DECIDER = "owner";

/**
 * `resume` does what waited: by then the run belongs to this process. `tellDenied` ends the waiting of a call of this
 * process while another person is still being asked.
 */
export function createApprovals(
  { ledger }: { ledger: Pick<Ledger, "approvals"> },
  resume: (approval: Approval, context: CapabilityContext) => Promise<CapabilityOutcome>,
  tellDenied: (approval: Approval) => void = () => {},
): Approvals {
  const { approvals } = ledger;
  return {
    list: (options) => approvals.list(options),
    get: (id) => approvals.get(id),
    async approve(id, { by = DEFAULT_DECIDER, reason } = {}, context = {}) {
      // A cancelled request must not start anything.
      if (context.signal?.aborted) throw cancelledBeforeApproval();
      const approval = requireDecided(await approvals.decide(id, { approved: true, by, reason }));
      return resume(approval, context);
    },
    async deny(id, { by = DEFAULT_DECIDER, reason } = {}) {
      const end = ({ summary, risk, decidedBy, reason: why }: Approval) => {
        const error = approvalDeniedError(summary, risk, { by: decidedBy ?? by, reason: why }).toInfo();
        return { type: "run.failed" as const, data: { verdict: "unverified", treeHash: null, error, durationMs: 0 } };
      };
      const denied = requireDecided(await approvals.decide(id, { approved: false, by, reason, end }));
      tellDenied(denied);
      return denied;
    },
  };
}

/** Only the first decision counts; later callers get its author in the error. */
function requireDecided({ kind, approval }: ApprovalResult): Approval {
  if (kind === "decided") return approval;
  const { id, runId, status, decidedBy, decidedAt } = approval;
  if (kind === "elsewhere") {
    throw new DrydockError(
      "input.invalid",
      `Another process is asking for the approval ${id} right now.`,
      "Answer it there.",
      { approvalId: id, runId },
    );
  }
  throw new DrydockError(
    "input.invalid",
    status === "cancelled"
      ? `The approval ${id} is no longer needed: its run ended ${decidedAt ?? "before"}.`
      : `The approval ${id} was ${status} by ${decidedBy ?? "somebody"} already, ${decidedAt ?? "before"}.`,
    `A decision is made once; \`drydock runs show ${runId}\` tells what came of it.`,
    { approvalId: id, runId, status, decidedBy, decidedAt },
  );
}

function cancelledBeforeApproval(): DrydockError {
  return new DrydockError(
    "run.cancelled",
    "The call was cancelled before it was approved.",
    "The approval is still pending: `drydock approvals list`.",
  );
}
