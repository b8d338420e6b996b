import type { PythonTaskResult, PythonWorkflowResult } from "@drydock/protocol";
import type { PythonTaskOptions, PythonWorkflowOptions } from "../tasks/index.ts";
import type { PythonTaskPorts } from "./python-tasks.ts";

export async function executePythonTask(
  _p: PythonTaskPorts,
  _i: string,
  _o: PythonTaskOptions,
): Promise<PythonTaskResult> {
  throw new Error("under construction");
}
export async function executePythonWorkflow(
  _p: PythonTaskPorts,
  _i: readonly string[],
  _o: PythonWorkflowOptions,
): Promise<PythonWorkflowResult> {
  throw new Error("under construction");
}
