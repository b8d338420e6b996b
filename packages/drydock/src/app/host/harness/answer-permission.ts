import { setTimeout as sleep } from "node:timers/promises";
import { type EffectivePolicy, hasEnded, type PermissionDecision } from "@drydock/protocol";
import { answerPermission, describePermission } from "../../../base/agent-protocol/index.ts";
import type { HarnessRequest, HostPorts } from "../../../host/index.ts";
import type { Ledger } from "../../../ledger/index.ts";
import { findDenial } from "../../../policy/index.ts";
import type { Approvals } from "../../extensions/api.ts";
import { listPending } from "../actions/expiry-timer.ts";
import { GRANT_PERMISSION } from "../actions/grant-permission.ts";
import type { HarnessSettings } from "./harness-settings.ts";

export interface PermissionPorts {
  ledger: Pick<Ledger, "approvals" | "getRun">;
  requestAction: HostPorts["requestAction"];
  approvals: Pick<Approvals, "deny">;
}

export interface PermissionContext extends Pick<HarnessRequest, "agent" | "runId" | "eventId" | "event"> {
  policy: EffectivePolicy;
  settings: Pick<HarnessSettings, "permissions">;
  /** Aborted when the agent or its run has ended. */
  signal: AbortSignal;
  note(decision: PermissionDecision): Promise<void>;
}

type Answer = Pick<PermissionDecision, "decision" | "by" | "reason">;

/** A decision that is made in another process is seen within this time. */
const LOOK_MS = 200;

/**
 * The answer to an agent that asks for permission: what the policy denies is denied, the rest is answered as the settings say.
 * By default a person decides, on an approval like any other of the host. Nothing is allowed by default, and never for longer
 * than once.
 */
export async function decidePermission(
  ports: PermissionPorts,
  context: PermissionContext,
  params: Record<string, unknown> | undefined,
): Promise<object> {
  const request = describePermission(params);
  const answer = await choose(ports, context, params, request).catch(
    (error: unknown): Answer => ({ decision: "denied", by: "policy", reason: `it could not be decided: ${error}` }),
  );
  const { outcome, isAllowed } = answerPermission(params, answer.decision === "allowed");
  const final: Answer =
    answer.decision === "allowed" && !isAllowed
      ? { decision: "denied", by: "policy", reason: "the agent offers no way to allow it once" }
      : answer;
  await context.note({ ...request, ...final }).catch(() => {});
  return { outcome, _meta: { drydock: { decision: final.decision, reason: final.reason } } };
}

async function choose(
  ports: PermissionPorts,
  context: PermissionContext,
  params: Record<string, unknown> | undefined,
  request: ReturnType<typeof describePermission>,
): Promise<Answer> {
  const { policy, settings } = context;
  const denial = await findDenial(policy, params?.toolCall);
  if (denial !== null) return { decision: "denied", by: "policy", reason: denial };
  switch (settings.permissions) {
    case "deny":
      return { decision: "denied", by: "settings", reason: "the agent's settings deny every permission" };
    case "allow":
      return {
        decision: "allowed",
        by: "settings",
        reason: "the agent's settings allow what the policy does not deny",
      };
    case "ask":
      return ask(ports, context, request);
    default:
      return settings.permissions satisfies never;
  }
}

async function ask(
  ports: PermissionPorts,
  { agent, runId, eventId, event, signal }: PermissionContext,
  request: ReturnType<typeof describePermission>,
): Promise<Answer> {
  const {
    status,
    runId: actionRunId,
    message,
  } = await ports.requestAction({
    ...{ action: GRANT_PERMISSION, target: null, payload: { ...request } },
    ...{ agent: agent.name, runId, eventId, event, approvalSeconds: agent.approvalSeconds, signal },
    onSettled: async () => {},
  });
  if (status === "done")
    return { decision: "allowed", by: "policy", reason: "the policy asks nobody (extensions.approval)" };
  if (status !== "waiting" || actionRunId === null) return { decision: "denied", by: "policy", reason: message };
  return waitForDecision(ports, actionRunId, signal);
}

/** The person may decide in any process that has the ledger. */
async function waitForDecision(
  { ledger, approvals }: PermissionPorts,
  actionRunId: string,
  signal: AbortSignal,
): Promise<Answer> {
  const approval = (await listPending(ledger.approvals)).find((each) => each.runId === actionRunId);
  while (!signal.aborted) {
    const run = await ledger.getRun(actionRunId);
    if (run && hasEnded(run)) {
      const decided = approval && (await ledger.approvals.get(approval.id));
      const who = `${decided?.decidedBy ?? "somebody"}${decided?.reason ? `: ${decided.reason}` : ""}`;
      return run.status === "succeeded"
        ? { decision: "allowed", by: "person", reason: `approved by ${who}` }
        : { decision: "denied", by: "person", reason: `denied by ${who}` };
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  const reason = "the agent was gone before anybody decided";
  // What nobody waits for any more is not left for a person to read.
  if (approval) await approvals.deny(approval.id, { by: "drydock", reason }).catch(() => {});
  return { decision: "unanswered", by: "nobody", reason };
}
