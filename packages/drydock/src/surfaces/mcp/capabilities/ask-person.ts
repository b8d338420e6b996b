import { randomUUID } from "node:crypto";
import { type CapabilityError, type CapabilityOutcome, type CapabilityWaiting, DrydockError } from "@drydock/protocol";
import {
  acceptedContent,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CapabilityContext } from "../../../app/index.ts";
import type { McpContext } from "../mcp-context.ts";

const QUESTION = "approve";
const MAX_PENDING = 1000;
const Decision = z.object({
  approve: z.boolean().describe("Whether it may be done"),
  reason: z.string().optional().describe("Why, for the record"),
});

/**
 * Lets the client ask a person about a waiting call. The call comes back with the answer and the id of the question,
 * which only this server can have made. Then the waiting call is executed, not what the client sends.
 */
export function askPerson(
  { dock, pendingApprovals }: McpContext,
  waiting: CapabilityWaiting,
  signal: AbortSignal | null,
): InputRequiredResult {
  const { id, summary, risk } = waiting.approval;
  const state = randomUUID();
  pendingApprovals.set(state, waiting);
  for (const oldest of pendingApprovals.keys()) {
    if (pendingApprovals.size <= MAX_PENDING) break;
    pendingApprovals.delete(oldest);
  }
  signal?.addEventListener(
    "abort",
    () => {
      if (!pendingApprovals.delete(state)) return;
      void dock.extensions.approvals.deny(id, { by: "drydock", reason: "the call was cancelled" }).catch(() => {});
    },
    { once: true },
  );
  const message = `${summary}\n\nThis action has ${risk} risk, and needs your approval. May it be done?`;
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: Decision }) },
    requestState: state,
  });
}

/** The outcome of a call that a person has decided on; null for a call without a decision yet. */
export async function readAnswer(
  { dock, pendingApprovals }: McpContext,
  server: McpServer,
  { mcpReq }: ServerContext,
  context: CapabilityContext,
): Promise<CapabilityOutcome | null> {
  const state = mcpReq.requestState<string>();
  if (state === undefined) return null;
  const waiting = pendingApprovals.get(state);
  pendingApprovals.delete(state);
  if (!waiting) {
    const hint = "Make the call again, without an answer.";
    throw new DrydockError("input.invalid", "This server did not ask that question, or it was answered before.", hint);
  }
  const by = server.server.getClientVersion()?.name || "mcp";
  const { id } = waiting.approval;
  const { approvals } = dock.extensions;
  const decision = acceptedContent(mcpReq.inputResponses, QUESTION, Decision);
  if (decision?.approve) return approvals.approve(id, { by, reason: decision.reason }, context);
  await approvals.deny(id, { by, reason: decision?.reason });
  return describeDenial(dock, waiting);
}

async function describeDenial({ runs }: McpContext["dock"], waiting: CapabilityWaiting): Promise<CapabilityError> {
  const { runId, extension, command, action, session } = waiting;
  const end = (await runs.events(runId)).findLast(({ type }) => type === "run.failed");
  return {
    ...{ type: "capability_error", success: false, runId, extension, command, action, session },
    ...{ error: end?.data.error as CapabilityError["error"], durationMs: 0, output: "" },
    ...{ artifacts: [], metadata: {}, notes: [] },
  };
}
