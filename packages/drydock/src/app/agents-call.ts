import type { AgentCallOptions, AgentResult, AnyDefinition } from "../tasks/index.ts";
import type { PythonTaskPorts } from "./python-tasks.ts";

export async function callAgent(
  _p: PythonTaskPorts,
  _d: AnyDefinition,
  _i: unknown,
  _o: AgentCallOptions,
): Promise<AgentResult> {
  throw new Error("under construction");
}
