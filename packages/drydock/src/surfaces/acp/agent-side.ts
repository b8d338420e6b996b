import {
  answerPermission,
  describePermission,
  isRequest,
  isResponse,
  type Message,
} from "../../base/agent-protocol/index.ts";
import { findDenial } from "../../policy/index.ts";
import { asMessage } from "./as-message.ts";
import { findRefusal, withoutTerminalLogins } from "./screen-message.ts";
import type { Conversation } from "./serve-acp.ts";

/** Messages of the agent on their way to the editor, in their order. */
export function createAgentSide(conversation: Conversation): { take(message: Message): void } {
  let last: Promise<void> = Promise.resolve();
  return {
    take(message) {
      last = last.then(() => pass(conversation, message)).catch((error) => conversation.log(`${asMessage(error)}\n`));
    },
  };
}

async function pass(conversation: Conversation, message: Message): Promise<void> {
  const { pending, asked, paths, toEditor } = conversation;
  const { id } = message;
  if (isResponse(message) && id !== undefined && id !== null) {
    const method = pending.get(id);
    // Nobody waits for it: the editor never asked, or Drydock answers itself.
    if (method === undefined) return;
    pending.delete(id);
    toEditor(paths.toEditor(await completeAnswer(conversation, method, message)) as Message);
    return;
  }
  const refusal = findRefusal(message);
  if (refusal !== null) return refuse(conversation, message, -32601, refusal);
  if (isRequest(message) && message.method === "session/request_permission") {
    // Two questions under one id could not be told apart: the answer to one would count for the other.
    if (asked.has(id ?? "")) return refuse(conversation, message, -32600, "a permission was asked for under this id");
    if (await denies(conversation, message)) return;
  }
  toEditor(paths.toEditor(message) as Message);
}

function refuse({ log, toAgent }: Conversation, { id }: Message, code: number, reason: string): void {
  log(`not passed on: ${reason}\n`);
  if (id !== undefined) toAgent({ jsonrpc: "2.0", id, error: { code, message: `Drydock: ${reason}.` } });
}

async function completeAnswer(conversation: Conversation, method: string, message: Message): Promise<Message> {
  switch (method) {
    case "session/prompt":
      return endTurn(conversation, message);
    case "initialize":
      return withoutTerminalLogins(message);
    default:
      return message;
  }
}

/** The editor hears of the end of a turn when its files are kept, and which checkpoint they are. */
async function endTurn({ handle, log }: Conversation, message: Message): Promise<Message> {
  try {
    const { number, treeHash } = await handle.endTurn();
    const drydock = { runId: handle.runId, checkpoint: number, treeHash };
    if (!message.result) return message;
    return { ...message, result: { ...message.result, _meta: { ...Object(message.result._meta), drydock } } };
  } catch (error) {
    log(`the turn has no checkpoint: ${asMessage(error)}\n`);
    return message;
  }
}

/** Whether the policy denied it. Then the agent has its answer, and no person is asked. */
async function denies(conversation: Conversation, { id, params }: Message): Promise<boolean> {
  const { policy, asked, handle, toAgent, log } = conversation;
  const request = describePermission(params);
  const reason = await findDenial(policy, params?.toolCall);
  if (reason === null) {
    if (id !== undefined && id !== null) asked.set(id, { request, options: params?.options });
    return false;
  }
  const { outcome } = answerPermission(params, false);
  log(`denied without asking: ${reason}\n`);
  await handle.notePermission({ ...request, decision: "denied", by: "policy", reason });
  toAgent({ jsonrpc: "2.0", id, result: { outcome, _meta: { drydock: { denied: reason } } } });
  return true;
}
