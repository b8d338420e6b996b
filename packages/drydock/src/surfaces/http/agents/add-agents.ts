import { OPERATIONS } from "@drydock/protocol/http";
import { describeAgent, type OnProgress } from "../../../tasks/index.ts";
import { checkModelName } from "../guard/check-model-name.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { Emit } from "../route/stream-call.ts";
import type { ServerContext } from "../server-context.ts";
import { readSessionId } from "../sessions/read-session-id.ts";
import { findAgent } from "./find-agent.ts";

export function addAgents(add: AddRoute, { dock, agents, model }: ServerContext): void {
  add("ask", OPERATIONS.ask, ({ body, signal, emit }) => {
    const { words, ...options } = readSessionId(body);
    checkModelName(options.model);
    return dock.ask(words, { model, ...options, signal, onProgress: forwardProgress(emit) });
  });
  add("executeTask", OPERATIONS.executeTask, ({ body, signal, emit }) => {
    const { instruction, ...options } = readSessionId(body);
    checkModelName(options.model);
    return dock.executePythonTask(instruction, { model, ...options, signal, onProgress: forwardProgress(emit) });
  });
  add("executeWorkflow", OPERATIONS.executeWorkflow, ({ body, signal, emit }) => {
    const { instructions, ...options } = readSessionId(body);
    checkModelName(options.model);
    return dock.executePythonWorkflow(instructions, { model, ...options, signal, onProgress: forwardProgress(emit) });
  });
  add("listAgents", OPERATIONS.listAgents, () => ({ agents: agents.map((each) => describeAgent(each)) }));
  add("callAgent", OPERATIONS.callAgent, ({ params, body, signal, emit }) => {
    const { input, ...options } = readSessionId(body);
    checkModelName(options.model);
    const definition = findAgent(agents, params.name);
    const callOptions = { model: definition.model === undefined ? model : undefined, ...options };
    return dock.callAgent(definition, input, { ...callOptions, signal, onProgress: forwardProgress(emit) });
  });
}

/** Output and words under names of their own, because most readers want nothing else. */
export function forwardProgress(emit: Emit | undefined): OnProgress | undefined {
  return (
    emit &&
    ((progress) => emit(progress.kind === "output" || progress.kind === "text" ? progress.kind : "progress", progress))
  );
}
