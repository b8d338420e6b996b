import { DrydockError, type ModelMessage, type ModelUsage } from "@drydock/protocol";
import { type Message, readText } from "@drydock/protocol/runner";
import type { HostPorts, RunRecord } from "../../host/index.ts";
import type { ToolSpec } from "../../models/index.ts";
import type { LiveModels } from "../models/api.ts";
import { readPictures } from "./read-pictures.ts";
import type { RunSpendings } from "./run-spending.ts";

/**
 * Asks a model for a runner. The question is a run of its own, with its prompt, its answer and its cost; it counts against the
 * budget of the runner's run, and in its sum.
 */
export function createAskModel(
  { chat }: Pick<LiveModels, "chat">,
  spendings: Pick<RunSpendings, "of">,
): HostPorts["askModel"] {
  return async (record, { model, messages, funcs, signal, onText }) => {
    const system = messages.filter(({ role }) => role === "system").map(readText);
    const others = messages.filter(({ role }) => role !== "system");
    const spending = await spendings.of(record);
    const { answer } = await chat({
      ...{ parentRunId: record.id, inherited: spending.budget },
      ...{
        system: system.join("\n\n"),
        messages: await Promise.all(others.map((message) => toModelMessage(record, message))),
      },
      ...{ tools: funcs.length === 0 ? undefined : funcs.map(toToolSpec), model, signal, onText },
    }).catch((error: unknown) => {
      const { usage, attempts } = error instanceof DrydockError ? error.data : {};
      if (usage) spending.add(usage as ModelUsage, Number(attempts ?? 1));
      throw error;
    });
    spending.add(answer.usage, answer.requests ?? 1);
    const tool_calls = answer.toolCalls.map(({ id, name, arguments: values }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: JSON.stringify(values) },
    }));
    return {
      message: { role: "assistant", content: answer.text, ...(tool_calls.length > 0 && { tool_calls }) },
      usage: answer.usage,
    };
  };
}

async function toModelMessage(record: Pick<RunRecord, "readArtifact">, message: Message): Promise<ModelMessage> {
  const text = readText(message);
  if (message.role === "tool")
    return { role: "tool", callId: message.tool_call_id ?? "", name: message.name ?? "", text, failed: false };
  if (message.role !== "assistant") {
    const { pictures, notes } = await readPictures(record, message);
    return { role: "user", text: [text, ...notes].join("\n"), ...(pictures.length > 0 && { pictures }) };
  }
  const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
    ...{ id, name },
    arguments: parseArguments(json),
  }));
  return { role: "assistant", text, toolCalls };
}

/** A model's own words: what is no JSON is passed on as text. */
function parseArguments(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return { text };
  }
}

/** Functions come as OpenAI describes them, with or without the wrapping. */
function toToolSpec(func: Record<string, unknown>): ToolSpec {
  const { name, description, parameters } = Object(func.function ?? func) as Record<string, unknown>;
  return {
    name: String(name),
    description: String(description ?? ""),
    parameters: Object(parameters ?? { type: "object", properties: {} }) as Record<string, unknown>,
  };
}
