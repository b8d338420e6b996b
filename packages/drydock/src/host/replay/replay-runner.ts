import { type Message, type RunContext, readText } from "@drydock/protocol/runner";
import { programLink } from "../channel/program-link.ts";
import type { Plugin } from "../plugins/plugin.ts";
import type { RunProgram } from "../ports.ts";
import { startPluginProcess } from "../processes/plugin-process.ts";
import { createResultReader } from "../results/read-results.ts";
import type { ResultStep } from "../results/result-step.ts";
import { describeFault } from "../runs/run-runner.ts";

/** Something that a runner did, as it can be compared with a record of it. */
export interface RunnerFact {
  what: "message" | "tool report" | "artifact" | "state" | "action" | "end";
  value: unknown;
}

export interface RunnerReplay {
  plugin: Plugin;
  version: string;
  runnerId: string;
  context: RunContext;
  expectsReply: boolean;
  signal: AbortSignal;
  /** The answer that the record has. Throws an `ApiError` where the answer was one, or where the record has none. */
  answer(method: string, params: Record<string, unknown>): unknown;
  runProgram: RunProgram;
}

const START_MS = 10_000;

/**
 * Lets a runner answer again, in a process of its own. It is told what it was told then, and its calls are answered from the
 * record. Nothing that it asks for is done.
 */
export async function replayRunner(request: RunnerReplay): Promise<RunnerFact[]> {
  const { plugin, version, runnerId, context, expectsReply, signal, answer, runProgram } = request;
  const { run_id: runId } = context;
  const process = await startPluginProcess({
    ...{ plugin, version, startMs: START_MS, openLink: programLink(plugin, runProgram), onRefused: () => {} },
  });
  const reader = createResultReader({ runId, expectsReply });
  const facts: RunnerFact[] = [];
  const take = (steps: readonly ResultStep[]) => {
    for (const step of steps) {
      const fact = toFact(step);
      if (fact) facts.push(fact);
    }
  };
  try {
    const runner = process.runners.find(({ manifest }) => manifest.id === runnerId);
    if (!runner) throw new Error(`The plugin ${plugin.id} has no runner ${runnerId} any more.`);
    await process
      .run({
        ...{ runId, runnerId, runnerName: runner.runner_name, context, signal },
        onResult: (result) => take(reader.take(result)),
        async onCall(method, params) {
          const value = answer(method, params);
          if (method === "invoke_llm_stream") {
            const { message } = value as { message: Message };
            process.notify("llm.chunk", { stream_id: params.stream_id, chunk: message });
          }
          return value;
        },
        onRefused: async () => {},
      })
      .then(
        () => take(reader.finish()),
        (error: unknown) => take(reader.finish(describeFault(error))),
      );
    return facts;
  } finally {
    await process.stop();
  }
}

function toFact(step: ResultStep): RunnerFact | null {
  switch (step.kind) {
    case "message":
      return { what: "message", value: readText(step.message) };
    case "tool":
      return { what: "tool report", value: `${step.type} ${step.data.tool_name}` };
    case "artifact":
      return (
        step.content && { what: "artifact", value: { name: step.facts.name ?? "artifact", size: step.content.length } }
      );
    case "state":
      return { what: "state", value: `${step.scope}/${step.key}` };
    case "action":
      return { what: "action", value: step.action };
    case "end":
      return {
        what: "end",
        value: step.end.kind === "completed" ? step.end.finishReason : (step.end.runnerCode ?? step.end.code),
      };
    case "delta":
    case "warning":
      return null;
    default:
      return step satisfies never;
  }
}
