import { EXIT_STATUS, ExecutedCode } from "@drydock/protocol";
import { type AnyDefinition, prepareAgent } from "../../tasks/index.ts";
import type { Screen } from "./screen.ts";

/** Whether the agent's words may be shown as they come: text that no hook changes afterwards. */
export function streamsWords(agent: AnyDefinition): boolean {
  return agent.execute === undefined && prepareAgent(agent).outputSchema === null && agent.hooks === undefined;
}

/** Shows what an agent gave back, unless it was shown as it came: words, or the output of executed code. */
export function showAgentOutput(screen: Screen, agent: AnyDefinition, output: unknown, isShown: boolean): void {
  if (agent.execute !== undefined) {
    const executed = ExecutedCode.parse(output);
    if (executed.success && executed.output === "" && executed.result !== null) screen.value(executed.result);
    return;
  }
  if (isShown) return;
  if (typeof output === "string") screen.words(output);
  else screen.value(output);
  screen.endStream();
}

/** Code that failed is a result of its agent, and an error for whoever asked. */
export function agentStatus(agent: AnyDefinition, output: unknown): number {
  const error = agent.execute === undefined ? null : ExecutedCode.parse(output).error;
  return error ? EXIT_STATUS[error.code] : 0;
}
