import { type AgentToolCall, DrydockError, explainIssues } from "@drydock/protocol";
import { untilAborted } from "../../base/waiting/index.ts";
import type { ToolSpec } from "../../models/index.ts";
import type { Toolbox } from "../converse.ts";
import { AGENT, type AgentTool, type AnyDefinition, type FunctionTool, type ToolContext } from "./agent.ts";
import { describeAgent, isAgent, isSchema } from "./prepare-agent.ts";
import { ToolAnswer } from "./tool-answer.ts";

/** Calls another agent on behalf of this one, with no more authority than this one has. */
export type CallInner = (definition: AnyDefinition, input: unknown) => Promise<{ output: unknown; runId: string }>;

interface OpenTool {
  spec: ToolSpec;
  call(input: Record<string, unknown>): Promise<{ value: unknown; runId: string | null }>;
}

const MAX_TEXT_CHARS = 60_000;

export interface OpenToolbox extends Toolbox {
  close(): Promise<void>;
}

/** Opens sources (they are loaded when an agent is called, not before), and turns every tool into one shape. */
export async function openToolbox(
  tools: readonly AgentTool[],
  context: ToolContext,
  callInner: CallInner,
): Promise<OpenToolbox> {
  const opened = new Map<string, OpenTool>();
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.allSettled(closers.map((end) => end()));
  };
  try {
    for (const tool of tools) {
      if (!isAgent(tool) && "open" in tool) {
        const source = await tool.open(context);
        closers.push(() => source.close());
        for (const one of source.tools) add(opened, openFunction(one, context));
      } else add(opened, isAgent(tool) ? openAgent(tool[AGENT].definition, callInner) : openFunction(tool, context));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    specs: [...opened.values()].map(({ spec }) => spec),
    // A tool that does not listen to its signal must not hold up the end of the call.
    call: (name, input) => untilAborted(call(opened, name, input), context.signal, cancelled),
    close,
  };
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The run was cancelled.", "Start it again when you want it.");
}

function add(opened: Map<string, OpenTool>, tool: OpenTool): void {
  if (opened.has(tool.spec.name)) {
    throw new DrydockError("input.invalid", `There are two tools ${tool.spec.name}.`, "Give each its own name.");
  }
  opened.set(tool.spec.name, tool);
}

function openAgent(definition: AnyDefinition, callInner: CallInner): OpenTool {
  const { name, description, input } = describeAgent(definition);
  const isObject = input.type === "object";
  // Providers want an object; an input that is none travels in one.
  const parameters = isObject ? input : { type: "object", properties: { input }, required: ["input"] };
  return {
    spec: { name, description, parameters },
    async call(args) {
      const { output, runId } = await callInner(definition, isObject ? args : args.input);
      return { value: output, runId };
    },
  };
}

function openFunction({ name, description, input, run }: FunctionTool, context: ToolContext): OpenTool {
  const schema = isSchema(input) ? input : null;
  const parameters = schema ? describeInput(name, description, input) : (input as Record<string, unknown>);
  return {
    spec: { name, description, parameters },
    async call(args) {
      const parsed = await schema?.safeParseAsync(args);
      if (parsed && !parsed.success) {
        const reasons = explainIssues(parsed.error.issues, "input");
        throw new DrydockError("input.invalid", reasons.join("; "), "Call it again with other arguments.");
      }
      return { value: await run((parsed?.data ?? args) as never, context), runId: null };
    },
  };
}

function describeInput(name: string, description: string, input: unknown): Record<string, unknown> {
  return describeAgent({ name, description: description || name, input: input as never, prompt: "-" }).input;
}

/** Rejects only for a cancelled call: errors of a tool are returned to the model. */
async function call(
  opened: Map<string, OpenTool>,
  name: string,
  input: Record<string, unknown>,
): Promise<AgentToolCall> {
  const toToolCall = (text: string, failed: boolean, runId: string | null = null): AgentToolCall => ({
    name,
    arguments: input,
    text: text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}… (shortened)` : text,
    failed,
    runId,
  });
  const tool = opened.get(name);
  if (!tool)
    return toToolCall(`There is no tool ${name}. There are: ${[...opened.keys()].join(", ") || "none"}.`, true);
  try {
    const { value, runId } = await tool.call(input);
    if (value instanceof ToolAnswer) return toToolCall(value.text, value.failed, value.runId);
    return toToolCall(typeof value === "string" ? value : (JSON.stringify(value) ?? "null"), false, runId);
  } catch (error) {
    if (error instanceof DrydockError && error.code === "run.cancelled") throw error;
    if (error instanceof DrydockError) return toToolCall(`${error.code}: ${error.message} ${error.hint}`, true);
    return toToolCall(`The tool failed: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}
