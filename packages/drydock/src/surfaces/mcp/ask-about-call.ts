import {
  acceptedContent,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { McpContext } from "./mcp-context.ts";
import { openQuestion, takeQuestion } from "./open-questions.ts";

const NAME = "agree";
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
  return openQuestion(questions, describeCall(tool, args), { message, name: NAME, form: Decision }).request;
}

/**
 * A person's answer about exactly this call; null if no person was asked. A client can't answer a question that was not
 * asked, or use the answer for another call.
 */
export function readDecision(
  { questions }: McpContext,
  tool: string,
  args: unknown,
  call: ServerContext,
): boolean | null {
  const about = takeQuestion(questions, call, (question) => question === describeCall(tool, args));
  if (about === null) return null;
  return acceptedContent(call.mcpReq.inputResponses, NAME, Decision)?.agree === true;
}

function describeCall(tool: string, args: unknown): string {
  return JSON.stringify([tool, args ?? {}]);
}
