import { randomUUID } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import {
  acceptedContent,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { McpContext } from "./mcp-context.ts";

const QUESTION = "agree";
const MAX_QUESTIONS = 1000;
const Decision = z.object({ agree: z.boolean().describe("Whether it may be done") });

/** Whether the client can show questions to a person. A client that names no kind supports forms. */
export function canAsk({ server }: McpServer): boolean {
  const elicitation = server.getClientCapabilities()?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Has the client ask a person about a call of a tool. The same call comes back with the answer. */
export function askAboutCall(
  { questions }: McpContext,
  tool: string,
  args: unknown,
  message: string,
): InputRequiredResult {
  const state = randomUUID();
  questions.set(state, describeCall(tool, args));
  for (const oldest of questions.keys()) {
    if (questions.size <= MAX_QUESTIONS) break;
    questions.delete(oldest);
  }
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: Decision }) },
    requestState: state,
  });
}

/**
 * A person's answer about exactly this call; null if no person was asked. A client can't answer a question that was not
 * asked, or use the answer for another call.
 */
export function readDecision(
  { questions }: McpContext,
  tool: string,
  args: unknown,
  { mcpReq }: ServerContext,
): boolean | null {
  const state = mcpReq.requestState<string>();
  if (state === undefined) return null;
  const about = questions.get(state);
  questions.delete(state);
  if (about !== describeCall(tool, args)) {
    const hint = "Make the call again, without an answer.";
    throw new DrydockError("input.invalid", "This server did not ask that question, or it was answered before.", hint);
  }
  return acceptedContent(mcpReq.inputResponses, QUESTION, Decision)?.agree === true;
}

function describeCall(tool: string, args: unknown): string {
  return JSON.stringify([tool, args ?? {}]);
}
