import type { ModelAnswer, ModelMessage, ToolCall } from "@drydock/protocol";

export interface AgentLoop {
  /** Grows with what is said. */
  messages: ModelMessage[];
  maxTurns: number;
  /** Maximum number of tool calls per answer; the model is asked to send the others again. */
  maxCalls?: number;
  ask(turn: number): Promise<ModelAnswer>;
  /** Whether an answer ends the loop although it may call tools. By default one that calls none does. */
  isFinal?(answer: ModelAnswer): boolean;
  /** Carries out one call; `turn` and `index` start at 1. */
  call(call: ToolCall, turn: number, index: number): Promise<{ text: string; failed: boolean }>;
}

/**
 * The one agent loop: ask, carry out the tool calls, repeat. Returns the last answer, which is in `messages` as well, or
 * null where the model was still calling tools after `maxTurns` answers.
 */
export async function runAgentLoop(loop: AgentLoop): Promise<ModelAnswer | null> {
  const { messages, maxCalls = Number.POSITIVE_INFINITY } = loop;
  for (let turn = 1; turn <= loop.maxTurns; turn++) {
    const answer = await loop.ask(turn);
    messages.push({ role: "assistant", text: answer.text, toolCalls: answer.toolCalls });
    if (answer.toolCalls.length === 0 || loop.isFinal?.(answer)) return answer;
    for (const [index, call] of answer.toolCalls.entries()) {
      const done = index < maxCalls ? await loop.call(call, turn, index + 1) : tooMany(maxCalls);
      messages.push({ role: "tool", callId: call.id, name: call.name, text: done.text, failed: done.failed });
    }
  }
  return null;
}

function tooMany(maxCalls: number) {
  return { text: `Not executed: an answer may call ${maxCalls} tools. Send it again.`, failed: true };
}
