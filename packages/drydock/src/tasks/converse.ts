import {
  type AgentToolCall,
  DrydockError,
  type ModelAnswer,
  type ModelMessage,
  type ModelStep,
} from "@drydock/protocol";
import { askModel, runAgentLoop, type ToolSpec } from "../models/index.ts";
import type { TaskPorts } from "./ports.ts";

/** Tools of a conversation: their definitions for the model, and the execution of a call. */
export interface Toolbox {
  specs: readonly ToolSpec[];
  call(name: string, input: Record<string, unknown>): Promise<AgentToolCall>;
}

export interface Conversation {
  key: string;
  step: ModelStep;
  task?: string;
  system: string;
  /** Grows with what is said. */
  messages: ModelMessage[];
  toolbox?: Toolbox;
  output?: { name: string; schema: Record<string, unknown> };
  attempt: number;
  maxTurns: number;
}

/** Asks until the model calls no more tools; its last answer, which is in `messages` as well. */
export async function converse(ports: TaskPorts, talk: Conversation): Promise<ModelAnswer> {
  const { key, step, task, system, messages, toolbox, output, attempt } = talk;
  const { onProgress, signal } = ports;
  const tools = toolbox && toolbox.specs.length > 0 ? toolbox.specs : undefined;
  const answer = await runAgentLoop({
    messages,
    maxTurns: talk.maxTurns,
    async ask(turn) {
      const model = ports.model?.id ?? "none";
      onProgress({ kind: "asked", model, attempt, system, messages: [...messages] });
      const since = ports.now();
      const answer = await askModel(ports, {
        key: `${key}/turn/${turn}`,
        step,
        ...(task !== undefined && { task }),
        system,
        messages: [...messages],
        ...(tools && { tools }),
        ...(output && { output }),
        signal,
        onText: (text) => onProgress({ kind: "text", text }),
      });
      const { inputTokens, outputTokens } = answer.usage;
      const durationMs = ports.now() - since;
      onProgress({ kind: "answered", model: answer.model, durationMs, inputTokens, outputTokens });
      return answer;
    },
    call: (call, turn) => callTool(ports, talk, turn, call),
  });
  if (answer) return answer;
  throw new DrydockError(
    "model.failed",
    `The model called tools in ${talk.maxTurns} answers and returned no result.`,
    "Ask for less at once. In the library and over HTTP, `maxTurns` can be raised.",
    { turns: talk.maxTurns },
  );
}

/** Calls a tool, and records the call, its values and its outcome. */
async function callTool(
  ports: TaskPorts,
  { key, task, toolbox, attempt }: Conversation,
  turn: number,
  { id, name, arguments: input }: ModelAnswer["toolCalls"][number],
): Promise<{ text: string; failed: boolean }> {
  const { journal, documents } = ports;
  const stepKey = `${key}/turn/${turn}/tool/${id}`;
  ports.checkpoint();
  const since = ports.now();
  const call = toolbox
    ? await toolbox.call(name, input)
    : { name, arguments: input, text: "There are no tools here.", failed: true, runId: null };
  const data = {
    task: task ?? name,
    attempt,
    name,
    arguments: input,
    failed: call.failed,
    result: await documents.keep(call.text),
    summary: call.text.slice(0, 300),
    layer: null,
    durationMs: Math.round(ports.now() - since),
    callRunId: call.runId,
  };
  await journal.append([{ type: "tool.finished", key: stepKey, data }]);
  ports.onProgress({ kind: "tool", call });
  return call;
}
