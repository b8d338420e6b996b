import type { AgentToolCall, ChatMessage, EffectivePolicy, ModelMessage } from "@drydock/protocol";
import { converse, type Toolbox } from "./converse.ts";
import { describeSandbox, showName } from "./describe-context.ts";
import type { PromptedPorts } from "./run-task.ts";

export interface AskRequest {
  words: string;
  /** What was said before, the oldest first. */
  chat: readonly ChatMessage[];
  /** Further instructions of the caller; they come first. */
  system: string;
  policy: EffectivePolicy;
  files: readonly string[];
  notes: string;
  toolbox: Toolbox;
  maxTurns: number;
  /** Grows with each call, so that what was done is known where the conversation breaks off. */
  toolCalls: AgentToolCall[];
}

/** A conversation with a model that may run code: it answers in words, after as many tool calls as it needs. */
export async function runAsk(ports: PromptedPorts, request: AskRequest): Promise<string> {
  const { words, chat, policy, notes, maxTurns, toolCalls } = request;
  const files = request.files.map(showName);
  const own = await ports.prompts.render("ask-system", { ...describeSandbox("python", policy, true), files, notes });
  const messages = chat.map(
    ({ role, text }): ModelMessage => (role === "user" ? { role, text } : { role, text, toolCalls: [] }),
  );
  messages.push({ role: "user", text: words });
  const toolbox: Toolbox = {
    specs: request.toolbox.specs,
    async call(name, input) {
      const call = await request.toolbox.call(name, input);
      toolCalls.push(call);
      return call;
    },
  };
  const system = [request.system, own].filter(Boolean).join("\n\n");
  const talk = { key: "ask", step: "chat" as const, system, messages, attempt: 1, maxTurns, toolbox };
  const { text } = await converse(ports, talk);
  return text;
}
