import type { EffectivePolicy, PolicyDocument } from "@drydock/protocol";
import type { Budget } from "../../models/index.ts";
import type { Extensions } from "../extensions/api.ts";
import type { GoalPorts } from "../goals/index.ts";
import type { WrapModel } from "../models/index.ts";
import type { Environments } from "../packages/index.ts";
import type { Track } from "../runs/track-calls.ts";
import type { LiveSessions } from "../sessions/index.ts";
import type { PythonTasks } from "./api.ts";

/** What tasks, workflows and agents need beyond what goals do. */
export interface PythonTaskPorts extends GoalPorts {
  sessions: LiveSessions;
  /** Where attachments wait for the sandbox. */
  temporary: string;
  wrapModel?: WrapModel;
  environments(): Promise<Environments>;
  extensions: Extensions;
}

/** The limits of a call: it may do no more than its caller may. */
export interface Authority {
  policy: EffectivePolicy;
  /** The part of it that the call or its callers have requested; the rest are defaults. */
  requestedPolicy: PolicyDocument | undefined;
  budget: Budget | null;
  runId: string;
  /** What it asks, and its tools where they name no model of their own. */
  model: string | undefined;
  /** How many agents are between it and the first caller. */
  depth: number;
}

/** Loaded with the first call: most uses of a dock have none. */
export function createPythonTasks(ports: PythonTaskPorts, track: Track): PythonTasks {
  return {
    ask: (words, options = {}) =>
      track(options.signal, async (signal) => {
        const { ask } = await import("./ask.ts");
        return ask(ports, words, { ...options, signal });
      }),
    executePythonTask: (instruction, options = {}) =>
      track(options.signal, async (signal) => {
        const { executePythonTask } = await import("./execute-python-task.ts");
        return executePythonTask(ports, instruction, { ...options, signal });
      }),
    executePythonWorkflow: (instructions, options = {}) =>
      track(options.signal, async (signal) => {
        const { executePythonWorkflow } = await import("./execute-python-task.ts");
        return executePythonWorkflow(ports, instructions, { ...options, signal });
      }),
    callAgent: (definition, input, options) =>
      track(options.signal, async (signal) => {
        const { callAgent } = await import("../agents/index.ts");
        return callAgent(ports, definition, input, { ...options, signal });
      }),
    blocks: {
      list: (runId) =>
        track(undefined, async () => {
          const { listBlocks } = await import("./blocks.ts");
          return listBlocks(ports, runId);
        }),
      edit: (runId, name, code) =>
        track(undefined, async () => {
          const { editBlock } = await import("./blocks.ts");
          return editBlock(ports, runId, name, code);
        }),
      run: (runId, name, options = {}) =>
        track(options.signal, async (signal) => {
          const { runBlock } = await import("./blocks.ts");
          return runBlock(ports, runId, name, { ...options, signal });
        }),
    },
  };
}
