import { hash } from "node:crypto";
import { type Approval, DrydockError, type ParameterValue, type PolicyDocument } from "@drydock/protocol";
import { approvalDeniedError, needsApproval } from "../../../extensions/index.ts";
import type { ApprovalDecision } from "../api.ts";
import type { CallPorts } from "../call-ports.ts";
import type { PreparedCall, RoutedCall } from "../prepare-call.ts";
import type { AdmittedCall } from "../run-call.ts";
import { summarizeCall } from "../summarize-call.ts";

/** Everything needed to do a call later, exactly as requested: events are redacted, and may hold less. */
export interface KeptCall {
  values: Readonly<Record<string, ParameterValue>>;
  /** The hash of the extension at the time of the request: a later version was not approved. */
  hash: string;
  workspace?: string;
  policy?: PolicyDocument;
  model?: string;
  inputId: string | null;
}

export function requiresApproval({ action }: RoutedCall, { grant }: PreparedCall): boolean {
  return needsApproval(action.risk, grant.policy.extensions.approval);
}

/** The stored text of a call that waits for approval, and its hash. */
export function describeKept(kept: KeptCall): { text: string; sha256: string } {
  const text = JSON.stringify(kept);
  return { text, sha256: hash("sha256", text, "hex") };
}

/** Waiting for an approval must not store a secret, not even its hash. */
export function holdsSecret({ redactor }: CallPorts, { values }: RoutedCall): boolean {
  return redactor.value(values) !== values;
}

export function secretCantWaitError(): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    "This call needs approval but can't wait for it: one of its values holds a secret, and secrets are not stored with a call.",
    "Call it from a terminal and approve it at once, or store the secret with `drydock secret set`.",
  );
}

export function extensionChangedError(extension: string): DrydockError {
  return new DrydockError(
    "policy.approval_denied",
    `The extension ${extension} was changed after the approval was requested.`,
    "The approval no longer matches the call. Make the call again.",
    { extension },
  );
}

/** Somebody else has decided, and their word counts. */
const NO_ANSWER: ApprovalDecision = { approved: false };

export type ApprovalOutcome = { kind: "approved" } | { kind: "waiting"; approval: Approval };

/** Records that an approval is needed, and asks for it. Throws if it is not given. */
export async function askApproval(
  { ledger }: CallPorts,
  { runId, call, caller: { user }, prepared, context: { approval: how = "deny" }, signal }: AdmittedCall,
  answered: Promise<void>,
): Promise<ApprovalOutcome> {
  const summary = summarizeCall(ledger, call, prepared.place);
  const { risk } = call.action;
  const wait = how === "wait";
  const approval = await ledger.approvals.request({ runId, summary, risk, requestedBy: user, wait });
  if (wait) return { kind: "waiting", approval };
  const answer: ApprovalDecision =
    how === "deny"
      ? { approved: false, by: "drydock", reason: "nobody could be asked" }
      : await firstOf([ask(how, approval), answered.then(() => NO_ANSWER)], signal);
  const { approved, by = user, reason } = answer;
  const decision = await ledger.approvals.decide(approval.id, { approved, by, reason });
  // Somebody else in this process may have been quicker: the first word counts.
  const { status, decidedBy, reason: why } = decision.approval;
  if (status === "approved") return { kind: "approved" };
  throw approvalDeniedError(summary, risk, how === "deny" ? null : { by: decidedBy ?? by, reason: why });
}

/** The question ends when the call is over. */
async function firstOf<T>(answers: readonly Promise<T>[], signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  const end = () => over.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([...answers, over.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

async function ask(
  how: (pending: Approval) => Promise<ApprovalDecision>,
  approval: Approval,
): Promise<ApprovalDecision> {
  try {
    const answer = await how(approval);
    // Anything but a clear yes is a no.
    return { ...answer, approved: answer?.approved === true };
  } catch (error) {
    return {
      approved: false,
      by: "drydock",
      reason: `asking failed: ${error instanceof Error ? error.message : error}`,
    };
  }
}
