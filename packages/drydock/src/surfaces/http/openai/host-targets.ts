import { randomUUID } from "node:crypto";
import { DrydockError, type ModelMessage, type SendResult } from "@drydock/protocol";
import type { Message } from "@drydock/protocol/runner";
import type { ServerContext } from "../server-context.ts";
import { type ChatRequest, type ChatTarget, type Reply, takesNoFiles } from "./target.ts";

const PREFIX = "agent/";

/** Agents of the host, each as a model. */
export async function listHostTargets({ dock }: ServerContext): Promise<ChatTarget[]> {
  return (await dock.host.agents.list()).map(({ name }) => targetOfHostAgent(dock, name));
}

/**
 * Clients of OpenAI send the whole conversation each time: it becomes a new one, with what was said before as its history. A
 * client that names a conversation continues that one, and only its last message is new.
 */
function targetOfHostAgent({ host }: ServerContext["dock"], name: string): ChatTarget {
  return {
    id: `${PREFIX}${name}`,
    ownedBy: "drydock-host",
    async ask(request, { signal, onText }) {
      const { text, history } = readMessages(name, request);
      const event = {
        type: "message.received",
        conversation: { conversation_id: request.conversation ?? `openai-${randomUUID()}`, launcher_type: "openai" },
        input: { text },
      };
      return toReply(await host.send(event, { agent: name, history, signal, onDelta: onText }));
    },
  };
}

function readMessages(name: string, { tools, attachments, system, messages }: ChatRequest) {
  if (tools.length > 0) {
    const hint = "Leave `tools` out: an agent calls its own.";
    throw new DrydockError("input.invalid", `The agent ${name} takes no tools.`, hint);
  }
  if (attachments.length > 0) throw takesNoFiles(`The agent ${name}`);
  const last = messages.at(-1);
  if (last?.role !== "user" || last.text.trim() === "") {
    const hint = "Let the last message be the user's, with some text.";
    throw new DrydockError("input.invalid", "The request has no message for the agent.", hint);
  }
  const before: Message[] = messages.slice(0, -1).map(toMessage);
  return {
    text: last.text,
    history: system === "" ? before : [{ role: "system" as const, content: system }, ...before],
  };
}

function toMessage({ role, text }: ModelMessage): Message {
  return { role, content: text };
}

function toReply(result: SendResult): Reply {
  if (result.kind === "answered" && result.ok) {
    const { runId, text, usage } = result;
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = usage ?? {};
    const reply: Reply = { runId, text, toolCalls: [], finish: "stop", inputTokens, outputTokens, cachedTokens: 0 };
    return usage === null ? { ...reply, isUsageUnknown: true } : reply;
  }
  if (result.kind === "answered" && result.error) {
    const { code, message, hint } = result.error;
    throw new DrydockError(code, message, hint, { runId: result.runId });
  }
  if (result.kind === "absorbed") {
    const { runId } = result;
    return {
      ...{ runId, text: "", toolCalls: [], finish: "stop", inputTokens: 0, outputTokens: 0, cachedTokens: 0 },
      isUsageUnknown: true,
    };
  }
  throw new DrydockError("runner.failed", "The agent did not answer.", "Send the message again.");
}
