import { DrydockError, type ErrorInfo, type Run } from "@drydock/protocol";
import type { OPERATIONS, OperationRequest } from "@drydock/protocol/http";
import type { Order } from "../../../app/index.ts";
import { findAgent } from "../agents/find-agent.ts";
import { type OnRunStarted, once, reportRunId } from "../background-runs.ts";
import { checkModelName } from "../guard/check-model-name.ts";
import { openInput } from "../inputs.ts";
import type { ServerContext } from "../server-context.ts";
import { readSessionId } from "../sessions/read-session-id.ts";

type RunBody = OperationRequest<typeof OPERATIONS.createRun>["body"];
type Work = (signal: AbortSignal, begun: OnRunStarted) => Promise<unknown>;

/** Starts a run that goes on after the answer. */
export async function startRun(server: ServerContext, body: RunBody): Promise<Run> {
  const { dock, background } = server;
  return dock.runs.get(await background.start(chooseWork(server, body), chooseOrder(server, body)));
}

/** What workers carry out in this server's place; nothing for what asks its caller for input. */
function chooseOrder({ dock, model }: ServerContext, body: RunBody): (() => Promise<Order | null>) | undefined {
  if (body.kind === "goal") {
    const { kind: _goal, ...goal } = body;
    return () => dock.workers.orderGoal({ model, ...goal });
  }
  if (body.kind !== "exec" || body.interactive || body.unconfined) return undefined;
  const { kind: _kind, interactive: _interactive, ...request } = readSessionId(body);
  return request.session === undefined ? () => dock.workers.orderExec(request) : undefined;
}

function chooseWork({ dock, agents, model, inputs }: ServerContext, body: RunBody): Work {
  if (body.kind !== "exec") checkModelName(body.model);
  switch (body.kind) {
    case "exec": {
      const { kind: _kind, interactive, ...request } = readSessionId(body);
      if (request.session !== undefined) {
        const hint = "Use POST /sessions/{id}/exec.";
        throw new DrydockError("input.invalid", "A step of a session can't run in the background.", hint);
      }
      return async (signal, begun) => {
        using input = openInput(inputs, interactive, undefined);
        const onStarted = (runId: string) => {
          input?.name(runId);
          begun(runId);
        };
        return await dock.exec({ ...request, signal, onStarted, onInput: input?.onInput });
      };
    }
    case "goal": {
      const { kind: _kind, ...goal } = body;
      return (signal, begun) => dock.goals.run({ model, ...goal, signal, onEvent: reportRunId(begun) });
    }
    case "task": {
      const { kind: _kind, instruction, ...task } = readSessionId(body);
      return (signal, begun) =>
        dock.executePythonTask(instruction, { model, ...task, signal, onEvent: reportRunId(begun) });
    }
    case "workflow": {
      const { kind: _kind, instructions, ...task } = readSessionId(body);
      return (signal, begun) =>
        dock.executePythonWorkflow(instructions, { model, ...task, signal, onEvent: reportRunId(begun) });
    }
    case "agent": {
      const { kind: _kind, name, input, ...call } = readSessionId(body);
      const definition = findAgent(agents, name);
      const options = { model: definition.model === undefined ? model : undefined, ...call };
      return (signal, begun) => dock.callAgent(definition, input, { ...options, signal, onEvent: reportRunId(begun) });
    }
    case "capability": {
      const { kind: _kind, route, ...options } = body;
      return async (signal, begun) => {
        const outcome = await dock.extensions.execute(route, { model, ...options, signal, onStarted: once(begun) });
        // An unknown capability never becomes a run.
        if (outcome.type === "capability_error" && outcome.runId === null) throw toThrown(outcome.error);
      };
    }
    default:
      return body satisfies never;
  }
}

function toThrown({ code, message, hint, ...data }: ErrorInfo): DrydockError {
  return new DrydockError(code, message, hint, data);
}
