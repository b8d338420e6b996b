import {
  ApiError,
  type HostApi,
  type Message,
  type RunnerContext,
  type RunnerResult,
  toolCompleted,
  toolStarted,
} from "@drydock/runner-sdk";
import type { Answer } from "./ask-models.ts";
import { cutText } from "./count-tokens.ts";
import type { Settings } from "./settings.ts";

/** More of an answer is cut: it goes with every later question of the run. */
const MAX_RESULT_CHARS = 20_000;

type ToolCall = Answer["tool_calls"][number];

export interface Tools {
  /** As models are told of them. */
  funcs: Record<string, unknown>[];
  /** Carries out the calls of an answer, one after the other. Gives what the model is told of each. */
  call(calls: readonly ToolCall[], note: string): AsyncGenerator<RunnerResult, Message[], void>;
}

export async function openTools(
  ctx: RunnerContext,
  api: HostApi,
  { tools: chosen, toolRounds }: Settings,
): Promise<Tools> {
  const names = toolRounds === 0 ? [] : ctx.resources.tools.map(({ tool_name }) => tool_name);
  const funcs: Tools["funcs"] = [];
  for (const tool_name of names.filter((name) => chosen === null || chosen.includes(name))) {
    try {
      const { description, parameters } = await api.get_tool_detail({ tool_name });
      funcs.push({ name: tool_name, description, parameters });
    } catch (error) {
      // One that is gone, or that the policy refuses, does not take the others with it.
      if (!(error instanceof ApiError) || error.code === "deadline_exceeded") throw error;
      ctx.log(`The tool ${tool_name} is not offered: ${error.message}`, "warning");
    }
  }
  return {
    funcs,
    async *call(calls, note) {
      const results: Message[] = [];
      for (const [index, call] of calls.entries()) {
        const { id, function: func } = call;
        const parameters = parseArguments(func.arguments);
        yield toolStarted(id, func.name, parameters);
        const { text, failed } = await callTool(api, func.name, parameters);
        yield toolCompleted(id, func.name, failed ? { error: cutText(text, 1000) } : { result: cutText(text, 1000) });
        const shown = cutText(text, MAX_RESULT_CHARS) + (index === calls.length - 1 ? note : "");
        results.push({ role: "tool", tool_call_id: id, name: func.name, content: shown });
      }
      return results;
    },
  };
}

/** A refusal is for the model to read, as the tool's own failure is. */
async function callTool(api: HostApi, tool_name: string, parameters: Record<string, unknown>) {
  try {
    const { text, failed } = Object((await api.call_tool({ tool_name, parameters })).result);
    return { text: String(text ?? ""), failed: Boolean(failed) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "deadline_exceeded") throw error;
    return { text: `The call was not carried out: ${error.message}`, failed: true };
  }
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
