import type { CapabilityError, CapabilityOutcome, CapabilityWaiting } from "@drydock/protocol";
import {
  acceptedContent,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CapabilityContext } from "../../../app/index.ts";
import type { McpContext } from "../mcp-context.ts";
import { openQuestion, takeQuestion } from "../open-questions.ts";

const NAME = "approve";
const Decision = z.object({
  approve: z.boolean().describe("Whether it may be done"),
  reason: z.string().optional().describe("Why, for the record"),
});

/** Lets the client ask a person about a waiting call. It is this call that is executed then, not what the client sends. */
export function askPerson(
  { dock, pendingApprovals }: McpContext,
  waiting: CapabilityWaiting,
  signal: AbortSignal | null,
): InputRequiredResult {
  const { id, summary, risk } = waiting.approval;
  const message = `${summary}\n\nThis action has ${risk} risk, and needs your approval. May it be done?`;
  const question = openQuestion(pendingApprovals, waiting, { message, name: NAME, form: Decision });
  signal?.addEventListener(
    "abort",
    () => {
      if (!pendingApprovals.delete(question.id)) return;
      void dock.extensions.approvals.deny(id, { by: "drydock", reason: "the call was cancelled" }).catch(() => {});
    },
    { once: true },
  );
  return question.request;
}

/** The outcome of a call that a person has decided on; null for a call without a decision yet. */
export async function readAnswer(
  { dock, pendingApprovals }: McpContext,
  server: McpServer,
  call: ServerContext,
  context: CapabilityContext,
): Promise<CapabilityOutcome | null> {
  const waiting = takeQuestion(pendingApprovals, call);
  if (!waiting) return null;
  const by = server.server.getClientVersion()?.name || "mcp";
  const { id } = waiting.approval;
  const { approvals } = dock.extensions;
  const decision = acceptedContent(call.mcpReq.inputResponses, NAME, Decision);
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
