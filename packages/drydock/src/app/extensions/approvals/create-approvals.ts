import { type Approval, type CapabilityOutcome, DrydockError } from "@drydock/protocol";
import { approvalDeniedError } from "../../../extensions/index.ts";
import type { ApprovalResult, Ledger } from "../../../ledger/index.ts";
import type { Approvals, CapabilityContext, HostActions } from "../api.ts";
import { HOST_EXTENSION } from "../api.ts";

const DEFAULT_DECIDER = "owner";

/**
 * `resume` does what waited: by then the run belongs to this process. `tellDenied` ends the waiting of a call of this
 * process while another person is still being asked.
 */
export function createApprovals(
  { ledger, hostActions }: { ledger: Pick<Ledger, "approvals" | "isReadOnly">; hostActions: HostActions },
  resume: (approval: Approval, context: CapabilityContext) => Promise<CapabilityOutcome>,
  tellDenied: (approval: Approval) => void = () => {},
): Approvals {
  const { approvals } = ledger;
  const end = ({ summary, risk, decidedBy, reason }: Approval) => {
    const error = approvalDeniedError(summary, risk, { by: decidedBy ?? "", reason }).toInfo();
    return { type: "run.failed" as const, data: { verdict: "unverified", treeHash: null, error, durationMs: 0 } };
  };
  /** What nobody decided in time is denied, when its time is over, or when somebody looks before that was noticed. */
  const expire = async (pending: readonly Approval[]): Promise<boolean> => {
    let isChanged = false;
    for (const approval of ledger.isReadOnly ? [] : pending) {
      if (!mayBeAction(approval) || !(await hostActions.isExpired(approval))) continue;
      const late = { approved: false, by: "drydock", reason: "nobody decided in time", end };
      const { kind, approval: denied } = await approvals.decide(approval.id, late);
      if (kind === "decided") await hostActions.onDenied(denied);
      isChanged = true;
    }
    return isChanged;
  };
  return {
    async list(options) {
      await expire(await approvals.list({ status: "pending" }));
      return approvals.list(options);
    },
    async get(id) {
      const found = await approvals.get(id);
      return (await expire([found])) ? approvals.get(id) : found;
    },
    async approve(id, { by = DEFAULT_DECIDER, reason } = {}, context = {}) {
      // A cancelled request must not start anything.
      if (context.signal?.aborted) throw cancelledBeforeApproval();
      const pending = await approvals.get(id);
      await expire([pending]);
      const perform = mayBeAction(pending) ? await hostActions.prepare(pending) : null;
      const approval = requireDecided(await approvals.decide(id, { approved: true, by, reason }));
      return perform ? perform(context) : resume(approval, context);
    },
    async deny(id, { by = DEFAULT_DECIDER, reason } = {}) {
      const denied = requireDecided(await approvals.decide(id, { approved: false, by, reason, end }));
      tellDenied(denied);
      if (denied.extension === HOST_EXTENSION) await hostActions.onDenied(denied);
      return denied;
    },
  };
}

/** The host's code is loaded only where there is something of it to decide. */
function mayBeAction({ extension, status }: Approval): boolean {
  return extension === HOST_EXTENSION && status === "pending";
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
