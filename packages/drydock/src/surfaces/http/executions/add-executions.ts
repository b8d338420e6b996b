import { OPERATIONS } from "@drydock/protocol/http";
import { digestToken, type OutputChunk } from "../../../app/index.ts";
import { openInput } from "../inputs.ts";
import type { AddRoute } from "../route/add-route.ts";
import type { ServerContext } from "../server-context.ts";
import { readSessionId } from "../sessions/read-session-id.ts";

/** A word for each token, which says nothing about the token. Without tokens all requests are the owner's. */
function nameCaller(headers: Headers): string {
  return digestToken(headers.get("authorization") ?? "").toString("hex");
}

export function addExecutions(add: AddRoute, { dock, inputs }: ServerContext): void {
  add("execute", OPERATIONS.execute, async ({ body, headers, signal, emit }) => {
    const { interactive, ...request } = readSessionId(body);
    using input = openInput(inputs, interactive, emit);
    const onStarted = (runId: string) => {
      input?.name(runId);
      emit?.("started", { runId });
    };
    if (request.session !== undefined) input?.name(request.session);
    if (dock.workers.isShared && !interactive && request.session === undefined && !request.unconfined) {
      const onOutput = emit && ((chunk: OutputChunk) => emit("output", chunk));
      return await dock.workers.exec({ ...request, signal, caller: nameCaller(headers), onStarted, onOutput });
    }
    return await dock.exec({
      ...{ ...request, signal, caller: nameCaller(headers) },
      ...(input && { onInput: input.onInput, ...(request.session === undefined && { onStarted }) }),
      onOutput: emit && ((chunk) => emit("output", chunk)),
      onReading: emit && ((progress) => emit("reading", progress)),
    });
  });
  add("verify", OPERATIONS.verify, ({ body, signal, emit }) =>
    dock.verify({ ...body, signal, onCheck: emit && ((result) => emit("check", result)) }),
  );
}
