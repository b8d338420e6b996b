import { DrydockError } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";
import { checkShape } from "../../base/json-schema/index.ts";
import { fitText } from "../../base/text/index.ts";
import { untilAborted } from "../../base/waiting/index.ts";
import type { HostTool } from "../ports.ts";
import { Preempted } from "../runs/open-commands.ts";
import type { ApiContext, Handlers } from "./create-api.ts";

/** Larger answers are cut: they travel in one line, and into a model's context. */
const MAX_TEXT_CHARS = 60_000;

/** Tools of the dock: those that the snapshot lists, with the operations that it lists for each. */
export function toolHandlers({ snapshot, tools, commands, signal: over }: ApiContext): Handlers {
  const granted = snapshot.resources.tools;
  if (granted.length === 0) return {};
  const find = async (name: string, operation: "detail" | "call"): Promise<HostTool> => {
    if (!granted.find(({ tool_name }) => tool_name === name)?.operations.includes(operation))
      throw new ApiError("unauthorized", `This run may not ${VERBS[operation]} the tool ${name}.`);
    const found = await tools.describe(name);
    if (found) return found;
    throw new ApiError("not_found", `There is no tool ${name} on this host any more.`, { details: { tool: name } });
  };
  return {
    get_tool_detail: ({ tool_name }) =>
      refusing(async () => {
        const { description, parameters } = await find(tool_name, "detail");
        return { tool_name, description, parameters };
      }),
    call_tool: ({ tool_name, parameters }) =>
      refusing(async () => {
        const tool = await find(tool_name, "call");
        const problems = await checkShape(parameters, tool.checked);
        if (problems.length > 0)
          throw new ApiError("invalid_argument", `${tool_name}: ${problems.join("; ")}.`, { details: { problems } });
        const answer = await commands.run(tool_name, over, (signal) =>
          untilAborted(tools.call(tool_name, parameters, signal), signal),
        );
        const { text, failed, runId } = answer;
        return { result: { text: fitText(text, MAX_TEXT_CHARS), failed, run_id: runId } };
      }),
  };
}

const VERBS = { detail: "read about", call: "call" } as const;

/** Says what stopped a tool in the words of the host API. What the tool itself did wrong is its answer. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Preempted) {
      const details = { reason: "preempted", event_id: error.eventId };
      throw new ApiError("runtime_error", `${error.message} Pull it with steering_pull.`, { retryable: true, details });
    }
    if (!(error instanceof DrydockError)) throw error;
    const { code, message, hint } = error;
    const details = { code, hint };
    if (code.startsWith("policy.")) throw new ApiError("unauthorized", message, { details });
    if (code === "input.invalid") throw new ApiError("invalid_argument", message, { details });
    if (code === "run.cancelled") throw new ApiError("deadline_exceeded", message, { details });
    throw new ApiError("runtime_error", message, { details });
  }
}
