import type { FunctionTool, ToolContext } from "../../../tasks/index.ts";

/** Calls one of an agent's tools, as the agent would. */
export async function callFunction(
  tools: readonly FunctionTool[],
  context: ToolContext,
  name: string,
  input: unknown,
): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool.run(input as never, context);
}
